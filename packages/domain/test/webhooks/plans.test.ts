import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIND_BEGUN_MESSAGES, READ_DUE_MESSAGES } from '../../src/webhooks/read-slice.ts';

const { database, owner, drop } = await createTestDatabase();
const known = randomUUID();
const unknown = randomUUID();

beforeAll(async () => {
  // As a restore adds rows: without the endpoint, and without numbers of events.
  await owner.pool.query('ALTER TABLE events DISABLE TRIGGER events_are_numbered');
  await owner.pool.query('ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_webhook_endpoint_id_fkey');
  await addEvents(known, 200_000);
  await addDeliveries(known, 200_000);
  await owner.pool.query('ANALYZE events, webhook_deliveries');
  // Neither the organisation nor the endpoint is in the statistics.
  await addEvents(unknown, 100_000);
  await addDeliveries(unknown, 100_000);
});
afterAll(drop);

const addEvents = (organisation: string, count: number) =>
  owner.pool.query(
    `INSERT INTO events (organisation_id, id, import_supplier_code, type, data, occurred_at)
     SELECT $1, number, 'BURST', 'bulk_job.started', '{}', now() FROM generate_series(1, $2::int) AS number`,
    [organisation, count],
  );

const addDeliveries = (endpoint: string, count: number) =>
  owner.pool.query(
    `INSERT INTO webhook_deliveries (webhook_endpoint_id, message_id, position, event_type, state, attempts, created_at,
       retried_since, last_attempted_at, next_attempt_at)
     SELECT $1, 'evt_' || number, number, 'bulk_job.started',
       (CASE WHEN number <= 100 THEN 'WAITING' ELSE 'DELIVERED' END)::webhook_delivery_state, 1, now(), now(), now(),
       CASE WHEN number <= 100 THEN now() END
     FROM generate_series(1, $2::int) AS number`,
    [endpoint, count],
  );

/** How many blocks a statement reads. Each of the two tables has thousands. */
async function blocksOf(
  { text, parameters }: { text: string; parameters: readonly string[] },
  values: Record<string, unknown>,
): Promise<number> {
  const given = parameters.map((name) => values[name]);
  const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, given);
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

test.each([
  ['that no statistics know', unknown],
  ['that was just created', randomUUID()],
  ['that has nearly all', known],
])('28.2.4 of an endpoint %s only the messages that are asked for are read', async (_which, id) => {
  const message_ids = Array.from({ length: 100 }, (_, index) => `evt_${index * 500 + 1}`);
  const values = { id, message_ids, organisation_id: id, now: new Date(Date.now() + 60_000), limit: 100 };
  const begun = await database.query(FIND_BEGUN_MESSAGES, values);
  expect([0, 100]).toContain(begun.length);
  // Each of a hundred through an index of three or four levels.
  expect(await blocksOf(FIND_BEGUN_MESSAGES, values)).toBeLessThan(800);
  const due = await database.query(READ_DUE_MESSAGES, values);
  expect([0, 100]).toContain(due.length);
  expect(due.every(({ event_id }) => event_id !== null)).toBe(true);
  expect(await blocksOf(READ_DUE_MESSAGES, values)).toBeLessThan(800);
});
