import { startMailServer, startWebhookReceiver } from '@causeway/testing';
import type { Canaries } from './canaries.ts';
import { fieldOf, nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import { waitUntil } from './wait-until.ts';

const PATIENCE_MS = 60_000;

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
    async tell(world, { code, token }) {
      const told = () => canaries.create('told');
      const url = `${receiver.url}/${told()}?key=${told()}`;
      const path = '/v1/data-import/webhook-endpoints/';
      const answer = await send(world.url(), { path, body: { url, description: told() }, token });
      if (answer?.status !== 201) throw new Error(`Creating an endpoint was answered ${nameOf(answer)}`);
      canaries.adopt('secret', String(fieldOf(answer.body, 'secret')));
      const texts = { subject: told(), text: told(), html: `<p>${told()}</p>` };
      await world.staff().emailTemplates.set.mutate({ code, language: 'en', ...texts });
    },
    areTold: () => waitUntil(() => mailServer.mails.length > 0 && receiver.messages.length > 0, PATIENCE_MS),
    async [Symbol.asyncDispose]() {
      await Promise.all([mailServer.close(), receiver.close()]);
    },
  };
}
