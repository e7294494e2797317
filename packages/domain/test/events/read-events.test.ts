import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, expect, test } from 'vitest';
import { READ_EVENTS } from '../../src/events/read-events.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

test('27.2.5 28.2.4 a page reads no more than itself, also of a burst that no statistics know', async () => {
  const organisation_id = randomUUID();
  // As a restore adds them, which numbers none.
  await owner.pool.query('ALTER TABLE events DISABLE TRIGGER events_are_numbered');
  await owner.pool.query(
    `INSERT INTO events (organisation_id, id, import_supplier_code, type, data, occurred_at)
     SELECT $1, number, 'BURST', 'bulk_job.started', '{}', now() FROM generate_series(1, 200000) AS number`,
    [organisation_id],
  );
  const values = {
    ...{ organisation_id, after_id: '100', after_mark: '', unsettled_from: '999999', scanned: 101, limit: 101 },
    ...{ types: null, import_suppliers: null },
  };
  expect(await database.query(READ_EVENTS, values)).toHaveLength(101);
  const given = READ_EVENTS.parameters.map((name) => values[name]);
  const { rows } = await database.pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${READ_EVENTS.text}`, given);
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  // The table has more than 2,000 blocks.
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(60);
});
