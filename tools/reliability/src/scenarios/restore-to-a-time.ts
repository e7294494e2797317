import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createPostgresServer, type PostgresServer } from '@causeway/testing';
import { readEffects } from '../rig/effects.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { DATABASE, startOperatorsWorld } from '../rig/start-world.ts';
import { exactly, isSo, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 4;
const POLL_INTERVAL_MS = 20;
/** Of everything that is money or a state: what a reconciliation compares. */
const SUMS = `
  SELECT (SELECT count(*) FROM account_imports)::int AS imports, (SELECT count(*) FROM accounts)::int AS accounts,
    (SELECT coalesce(sum(amount), 0)::text FROM transactions) AS transactions,
    (SELECT coalesce(sum(gross_amount), 0)::text FROM statements) AS statements,
    (SELECT count(*) FROM notes)::int AS notes, (SELECT count(*) FROM payment_instructions)::int AS instructions,
    (SELECT count(*) FROM audit_events)::int AS events`;

/** A base backup under load, the write-ahead log since, a mistake, and a restore to the time before it. */
export const restoreToATime: Scenario = {
  row: 23,
  title: 'restored to the time before a mistake',
  unit: 'seconds of load before and after the backup',
  full: 20,
  short: 1,
  async run(seconds, random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    const server = await createPostgresServer({
      settings: { archive_mode: 'on', archive_command: 'test ! -f ../archive/%f && cp %p ../archive/%f' },
    });
    stack.defer(() => server.remove());
    const archive = path.join(server.cluster, '../archive');
    await mkdir(archive, { mode: 0o777 });
    await server.openFolder('../archive');
    await server.start();
    await using world = await startOperatorsWorld({ server: () => server, instances: 2 });
    const supplier = await world.createSupplier();
    const movers = moveAccounts(world, { supplier, clients: CLIENTS, random });
    await delay(seconds * 1_000);
    const backup = await server.copy();
    stack.defer(() => backup.remove());
    await delay(seconds * 1_000);
    const { claims } = await movers.judge();
    const before = { sums: await world.query<object>(SUMS), effects: await readEffects(world, supplier) };
    const [{ time } = { time: '' }] = await world.query<{ time: string }>('SELECT clock_timestamp()::text AS time');
    await world.query('DELETE FROM transactions');
    await world.query(`UPDATE accounts SET transfer_balance = 0`);
    await archiveAll(server);
    const startedAt = performance.now();
    await backup.write('recovery.signal', '');
    await backup.write(
      'postgresql.auto.conf',
      `restore_command = 'cp "${archive}/%f" "%p"'\nrecovery_target_time = '${time}'\nrecovery_target_action = promote\n`,
    );
    await backup.start();
    const restored = await restoredWorld(backup);
    const after = { sums: await restored(SUMS), effects: await readEffects({ query: restored }, supplier) };
    const took = Math.round(performance.now() - startedAt);
    return {
      figures: `${movers.ledger.accounts.size} accounts, a backup in the middle, restored in ${took} ms to the time before a mistake: sums ${isDeepStrictEqual(before, after) ? 'EQUAL' : 'DIFFERENT'} (${JSON.stringify(after.sums[0])})`,
      claims: [
        ...claims,
        exactly('sums after the restore', JSON.stringify(after.sums), JSON.stringify(before.sums)),
        isSo('every account as before', isDeepStrictEqual(after.effects, before.effects)),
      ],
    };
  },
};

/** Until the log of everything so far is in the archive. */
async function archiveAll(server: PostgresServer): Promise<void> {
  const [{ name } = { name: '' }] = await server.query<{ name: string }>(
    'SELECT pg_walfile_name(pg_switch_wal()) AS name',
  );
  const isArchived = `SELECT FROM pg_stat_archiver WHERE last_archived_wal >= '${name}'`;
  while ((await server.query(isArchived)).length === 0) await delay(POLL_INTERVAL_MS);
}

/** Queries of the restored database, once it takes writes. */
async function restoredWorld(server: PostgresServer) {
  while ((await server.query('SELECT WHERE pg_is_in_recovery()')).length > 0) await delay(POLL_INTERVAL_MS);
  return <Row extends object>(text: string, values: unknown[] = []) =>
    server.query<Row>(text, { values, database: DATABASE });
}
