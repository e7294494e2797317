import { z } from 'zod';

const MUTATION = 'mutation ($key: String!) { obtainToken(input: { APIKey: $key }) { token } }';

const Answer = z.object({
  data: z.object({ obtainToken: z.object({ token: z.string() }) }).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** An access token for an API key (specification 5). Throws an Error with the service's own words where it is refused. */
export async function obtainToken(url: string, apiKey: string): Promise<string> {
  const response = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query: MUTATION, variables: { key: apiKey } }),
  });
  const { data, errors } = Answer.parse(await response.json());
  if (data) return data.obtainToken.token;
  throw new Error(`ObtainToken answered ${response.status}: ${errors?.[0]?.message ?? 'no token'}`);
}
