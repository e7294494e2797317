import { obtainTokens } from '@causeway/rest-client';
import { startMailServer, startWebhookReceiver } from '@causeway/testing';
import type { Canaries } from './canaries.ts';
import type { Request } from './send.ts';
import { type ServiceWorld, type Supplier, VENDOR_SECRET } from './service-world.ts';
import { waitUntil } from './wait.ts';
import { createEndpoint } from './webhooks.ts';

/** Nothing takes longer, on a slow machine. */
const PATIENCE_MS = 300_000;

/** Of a supplier. */
export const SENDS_EMAILS = { send_customer_emails: true, email_sender: 'moving@north.example' };

/** Others who are told what happens: a mail server, and a receiver of webhooks that refuses them. */
export interface Others extends AsyncDisposable {
  /** Of the service. */
  readonly variables: Record<string, string>;
  /** Gives a supplier an endpoint and a template, with canaries in all that they have. */
  tell(world: ServiceWorld, supplier: Supplier): Promise<void>;
  /** Waits until both have been told something: whether they have. */
  areTold(): Promise<boolean>;
}

export async function startOthers(canaries: Canaries): Promise<Others> {
  const [mailServer, receiver] = await Promise.all([startMailServer(), startWebhookReceiver()]);
  receiver.behave({ kind: 'answer', status: 500, body: canaries.create('told') });
  return {
    variables: {
      SMTP_URL: mailServer.url,
      EMAILS_PER_MINUTE: '1000000',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    },
    async tell(world, supplier) {
      const told = () => canaries.create('told');
      const url = `${receiver.url}/${told()}?key=${told()}`;
      const { secret } = await createEndpoint(world, supplier, { url, description: told() });
      canaries.adopt('secret', secret);
      const texts = { subject: told(), text: told(), html: `<p>${told()}</p>` };
      await world.staff().emailTemplates.set.mutate({ code: supplier.code, language: 'en', ...texts });
    },
    areTold: () => waitUntil(() => mailServer.mails.length > 0 && receiver.messages.length > 0, PATIENCE_MS),
    async [Symbol.asyncDispose]() {
      await Promise.all([mailServer.close(), receiver.close()]);
    },
  };
}

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
