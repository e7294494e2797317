import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { until } from '../support/until.ts';

const service = await startTestService({ BULK_LANES: '2' });
afterAll(service.stop);
const { database, createSupplier } = service;

/** A cohort as it is when it was started. */
async function startCohort({ code, organisationId, teamName }: TestSupplier): Promise<string> {
  const id = randomUUID();
  const options = { operations_team_name: teamName, parallelism: 2, accounts_per_second: null, max_refused: null };
  await database.pool.query(
    `INSERT INTO bulk_jobs (id, import_supplier_code, kind, options, selection, state, run, run_mode, created_by,
       run_by, created_at, started_at)
     SELECT $1, $2, 'PROCESS', $3, '{}', 'PLANNING', 1, 'REAL', id, id, now(), now()
     FROM api_keys WHERE organisation_id = $4 LIMIT 1`,
    [id, code, JSON.stringify({ ...options, max_refused_ratio: null }), organisationId],
  );
  return id;
}

async function stateOf(id: string): Promise<string> {
  const { rows } = await database.pool.query('SELECT state FROM bulk_jobs WHERE id = $1', [id]);
  return rows[0].state;
}

test('21.11.1 an instance works on bulk jobs in a thread of its own, and counts what it does', async () => {
  const supplier = await createSupplier();
  const numbers = [await supplier.stage(), await supplier.stage(), await supplier.stage()];
  const id = await startCohort(supplier);
  await until(async () => (await stateOf(id)) === 'FINISHED');
  for (const external_account_number of numbers) {
    const { body } = await supplier.get(`account-transfer-status/${supplier.code}/${external_account_number}/`);
    expect(body).toMatchObject({ status: 'COMPLETED' });
  }
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toContain('causeway_bulk_lines_total{run_mode="REAL",outcome="created"} 3');
});
