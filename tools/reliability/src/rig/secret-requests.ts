import { obtainTokens } from '@causeway/rest-client';
import type { Canaries } from './canaries.ts';
import type { Request } from './send.ts';
import { type ServiceWorld, type Supplier, VENDOR_SECRET } from './service-world.ts';

export const VALIDATE = '/v1/data-import/validate-account/';

/**
 * Valid and invalid keys, tokens and headers at every endpoint; paths and queries with data that does not belong there.
 */
export async function secretRequests(world: ServiceWorld, supplier: Supplier, canaries: Canaries): Promise<Request[]> {
  for (const secret of [supplier.apiKey, supplier.token, world.staffApiKey, VENDOR_SECRET])
    canaries.adopt('secret', secret);
  const obtain = (input: object) => ({
    path: '/v1/graphql/',
    body: {
      query: 'mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) { token refreshToken } }',
      variables: { input },
    },
  });
  const { token, refreshToken } = await obtainTokens(world.url(), supplier);
  for (const text of [token, refreshToken]) canaries.adopt('secret', text);
  const secret = () => canaries.create('secret');
  return [
    obtain({ refreshToken }),
    obtain({ APIKey: secret() }),
    obtain({ refreshToken: secret() }),
    obtain({ APIKey: [secret()] }),
    obtain({ password: secret() }),
    { path: '/v1/graphql/', body: { query: `mutation { obtainToken(input: {APIKey: "${secret()}" }` } },
    { path: '/v1/graphql/', body: { query: `query { serviceVersion(key: "${secret()}") }` } },
    { path: '/v1/graphql/', body: `{"query": "${secret()}` },
    { path: VALIDATE, body: `{"import_supplier": "${secret()}", "x": ` },
    { path: VALIDATE, body: `{"${secret()}": 1, "x": "\u0000${secret()}"}` },
    { path: `/v1/data-import/${secret()}/` },
    { path: `/${secret()}/${secret()}?token=${secret()}` },
    { path: `/trpc/${secret()}?input=${secret()}` },
    { path: `/trpc/dataImport.stageAccount,${secret()}?batch=1`, body: { 0: { customers: secret() } } },
    { path: '/trpc/importSuppliers.create', body: { code: secret(), name: secret() } },
    { path: `/v1/data-import/all-account-import-processes/${supplier.code}/?limit=${secret()}&after=${secret()}` },
    ...['Token ', 'Bearer ', 'Basic ', ''].map((scheme) => ({
      path: VALIDATE,
      headers: { Authorization: scheme + secret() },
    })),
    {
      path: VALIDATE,
      headers: { Cookie: `session=${secret()}`, 'User-Agent': secret(), 'X-Anything': secret() },
      body: {},
    },
    { path: VALIDATE, headers: { 'Content-Type': `text/${secret()}` }, body: secret() },
  ];
}

/** A request with a key that no client library would send. */
export function secretBytes({ token }: Supplier, canaries: Canaries) {
  const [key, body] = [canaries.create('secret'), canaries.create('secret')];
  const headers = { Authorization: `Token ${token}`, 'Idempotency-Key': `${key}ä` };
  return { method: 'POST', path: VALIDATE, headers, body: Buffer.from(body) };
}
