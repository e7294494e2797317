import { openWebhookInbox } from './webhook-inbox.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

// node src/receive-webhooks/main.ts, with WEBHOOK_SECRET set. Prints one line of JSON for each event, once.
const { WEBHOOK_SECRET, PORT = '8086', INBOX = 'webhook-inbox.sqlite' } = process.env;
if (WEBHOOK_SECRET === undefined) throw new Error('Set WEBHOOK_SECRET.');

const inbox = openWebhookInbox(INBOX);

/** What is to be done for each message goes here. If it is killed in the middle, the message is done again. */
function work(): void {
  for (let next = inbox.next(); next !== undefined; next = inbox.next()) {
    const { id, message } = next;
    const about = 'data' in message ? message.data.link : undefined;
    process.stdout.write(`${JSON.stringify({ id, type: message.type, link: about })}\n`);
    inbox.markDone(id);
  }
}

work();
createWebhookReceiver({ secret: WEBHOOK_SECRET, inbox, wake: () => setImmediate(work) }).listen(Number(PORT));
