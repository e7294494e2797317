import { bookLine, type MeasuredJob, noteRows } from './bulk-job.ts';
import { ACCOUNTS_A_STATEMENT, insertAccounts } from './insert-accounts.ts';
import { countCpu, freshPrefix } from './measure-turn.ts';
import { IMPORT_SUPPLIER } from './seed.ts';
import type { World } from './world.ts';

/** What PostgreSQL alone has written. */
export interface PlainRows {
  perSecond: number;
  /** Milliseconds of CPU time an account. */
  cpuMs: { postgres: number };
}

/** Writes all rows of the accounts of a job again, for other accounts. */
export async function insertMoved(world: World, moved: MeasuredJob, accounts: number): Promise<PlainRows> {
  const { postgres, service } = world;
  const spentSince = countCpu(world, service);
  const perSecond = await insertAccounts(postgres.urlOf(service.database), moved.prefix, accounts);
  const spent = spentSince();
  noteRows(service, 'MOVE', accounts);
  return { perSecond, cpuMs: { postgres: (spent.postgres * 1_000) / accounts } };
}

const IDS = `
  SELECT account_import_id($1, number) AS id FROM unnest($2::text[]) WITH ORDINALITY AS sent (number, place) ORDER BY place`;

/** Payloads like those of STAGE, by the plainest statement there is: no events, no conflicts, nothing returned. */
const INSERT = `
  INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
  SELECT id, $1, payload->>'external_account_number', 'STAGED', payload, now(), now()
  FROM unnest($2::uuid[], $3::jsonb[]) AS sent (id, payload)`;

/** Stages accounts on one connection. */
export async function insertStaged(world: World, accounts: number): Promise<PlainRows> {
  const { postgres, service } = world;
  const prefix = freshPrefix();
  const numbers = Array.from({ length: accounts }, (_, index) => `${prefix}${index}`);
  const lines = numbers.map((_, index) => bookLine(prefix, index, false));
  const found = await postgres.query<{ id: string }>(service.database, IDS, [IMPORT_SUPPLIER, numbers]);
  const ids = found.map(({ id }) => id);
  const spentSince = countCpu(world, service);
  const startedAt = performance.now();
  for (let first = 0; first < accounts; first += ACCOUNTS_A_STATEMENT) {
    const end = first + ACCOUNTS_A_STATEMENT;
    await postgres.query(service.database, INSERT, [IMPORT_SUPPLIER, ids.slice(first, end), lines.slice(first, end)]);
  }
  const perSecond = (accounts * 1_000) / (performance.now() - startedAt);
  const spent = spentSince();
  await setStagedAside(world);
  service.ledger.add('insert', accounts, 0);
  return { perSecond, cpuMs: { postgres: (spent.postgres * 1_000) / accounts } };
}

/** What is staged now belongs to no cohort. */
export async function setStagedAside({ postgres, service }: World): Promise<void> {
  await postgres.query(
    service.database,
    `UPDATE account_imports SET state = 'SKIPPED', skip_reason = 'bench', skipped_at = now() WHERE state = 'STAGED'`,
  );
}
