import { setTimeout as delay } from 'node:timers/promises';
import { startMailServer, startWebhookReceiver } from '@causeway/testing';
import { progress } from '../progress.ts';
import { judge } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, measureTurn } from '../world/measure-turn.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

const ACCOUNTS = 200;
const PATIENCE_MS = 60_000;
const MESSAGES = 4_000;
const LOOKED_EVERY_MS = 20;

/**
 * How many messages a second one instance sends: e-mails to a mail server, and webhooks to one receiver. Both stand on this
 * machine, in the process of the bench, and share its cores.
 */
export const messages: Part = {
  name: 'messages',
  heading: 'E-mails and webhooks',
  async measure(world, { effort }) {
    const [mailServer, receiver] = await Promise.all([startMailServer(), startWebhookReceiver()]);
    const target = await world.startTarget('messages', {
      variables: {
        SMTP_URL: mailServer.url,
        EMAILS_PER_MINUTE: '1000000',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      },
    });
    try {
      await prepare(world, target, receiver.url);
      const rates = { emails: [] as number[], webhooks: [] as number[] };
      for (let round = 0; round < effort.rounds; round += 1) {
        rates.emails.push(await rateOf(() => queueEmails(world, target, round), mailServer.mails));
        rates.webhooks.push(await rateOf(() => addEvents(world, target), receiver.messages));
        progress(`${shown(rates.emails.at(-1) ?? 0)} e-mails/s, ${shown(rates.webhooks.at(-1) ?? 0)} webhooks/s`);
      }
      const findings = (['emails', 'webhooks'] as const).map((kind) => {
        const value = medianOf(rates[kind]);
        const metric = kind === 'emails' ? 'E-mails sent a second' : 'Webhooks sent a second';
        return judge(metric, { value, direction: 'at least', mustReach: 500 }, `${shown(value)} /s`);
      });
      const details = [
        `${MESSAGES.toLocaleString('en-GB')} a round. E-mails a second, round by round: ${shownSpread(rates.emails)}; ` +
          `webhooks: ${shownSpread(rates.webhooks)}.`,
      ];
      return { findings, details };
    } finally {
      await Promise.all(target.instances.map((instance) => instance.stop()));
      await Promise.all([mailServer.close(), receiver.close()]);
    }
  },
};

/** Accounts to write about, and somebody to tell. */
async function prepare(world: World, target: Target, url: string): Promise<void> {
  const { completed } = await measureTurn(world, target, {
    ...{ scenario: 'bundle', connections: 8, prefix: freshPrefix(), accounts: ACCOUNTS, warmUpMs: 0 },
    measureMs: PATIENCE_MS,
  });
  if (completed < ACCOUNTS) throw new Error(`Only ${completed} accounts were created in ${PATIENCE_MS} ms`);
  await world.postgres.query(
    target.database,
    `UPDATE import_suppliers SET send_customer_emails = true, email_sender = 'Bench <moving@bench.example>'
     WHERE code = $1`,
    [IMPORT_SUPPLIER],
  );
  const response = await fetch(`${target.instances[0]?.url}/v1/data-import/webhook-endpoints/`, {
    method: 'POST',
    headers: { Authorization: `Token ${await world.token()}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (response.status !== 201) throw new Error(`Creating an endpoint answered ${response.status}`);
}

/** From the moment that there is something to send until the last of it has arrived. */
async function rateOf(begin: () => Promise<unknown>, arrived: readonly unknown[]): Promise<number> {
  const before = arrived.length;
  await begin();
  const startedAt = performance.now();
  while (arrived.length < before + MESSAGES) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`Only ${arrived.length - before} arrived`);
    await delay(LOOKED_EVERY_MS);
  }
  if (arrived.length !== before + MESSAGES) throw new Error('More arrived than were sent');
  return MESSAGES / ((performance.now() - startedAt) / 1_000);
}

function queueEmails({ postgres }: World, { database }: Target, round: number): Promise<unknown> {
  return postgres.query(
    database,
    `INSERT INTO customer_emails (account_import_id, import_supplier_code, position, address, address_digest, state,
       next_attempt_at, created_at, updated_at)
     SELECT account_import_id, $1, 0, address, sha256(address::bytea), 'QUEUED', now(), now(), now()
     FROM (SELECT account_import_id FROM accounts ORDER BY account_import_id LIMIT ${ACCOUNTS}) AS account,
       generate_series(1, ${MESSAGES / ACCOUNTS}) AS number,
       LATERAL (SELECT 'bench.' || $2::int || '.' || number || '@example.com' AS address) AS written`,
    [IMPORT_SUPPLIER, round],
  );
}

function addEvents({ postgres }: World, { database }: Target): Promise<unknown> {
  return postgres.query(
    database,
    `INSERT INTO events (import_supplier_code, type, external_account_number, data, occurred_at)
     SELECT $1, 'account.staged', 'E-' || number, '{"times_staged": 1}', now()
     FROM generate_series(1, ${MESSAGES}) AS number`,
    [IMPORT_SUPPLIER],
  );
}
