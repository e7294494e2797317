import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresServer, type PostgresServer } from '@causeway/testing';
import { doubtsOf, judgeMoves, wasFelt } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { createProbe } from '../rig/probe.ts';
import { startOperatorsWorld } from '../rig/start-operators-world.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const CLIENTS = 6;
const INSTANCES = 2;
const PEACE_MS = { from: 300, to: 1_500 };
const BACK_WITHIN_MS = 10_000;
const PATIENCE_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/**
 * The primary is gone, its synchronous standby is promoted, and a new standby takes the place of the old primary; the
 * service knows both hosts from its URL.
 */
export const survivePromotion: Scenario = {
  row: 22,
  title: 'a synchronous standby is promoted under load',
  unit: 'promotions',
  full: 30,
  short: 1,
  async run(promotions, random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    const first = await createPostgresServer({ settings: { wal_keep_size: '512MB' } });
    stack.defer(() => first.remove());
    await first.start();
    const pair = { primary: first, standby: await attachStandby(first) };
    stack.defer(() => pair.standby.remove());
    stack.defer(() => pair.primary.remove());
    const hosts = [pair.standby, pair.primary].map(({ port }) => `127.0.0.1:${port}`).join(',');
    await using world = await startOperatorsWorld({ server: () => pair.primary, instances: INSTANCES, hosts });
    const supplier = await world.createSupplier();
    const movers = moveAccounts(world, { supplier, clients: CLIENTS, random: random.fork('clients') });
    const probes = world.instances.map((_, instance) => createProbe(world, supplier, instance));
    const backMs: number[] = [];
    for (let times = 1; times <= promotions; times += 1) {
      await delay(random.integer(PEACE_MS.from, PEACE_MS.to));
      const gone = pair.primary;
      await gone.end(random.pick(['SIGKILL', 'SIGQUIT', 'SIGINT']));
      const goneAt = performance.now();
      await pair.standby.query('SELECT pg_promote()');
      const back = await Promise.all(probes.map((probe) => probe.untilBack(PATIENCE_MS)));
      backMs.push(...back.map((ms) => (Number.isFinite(ms) ? performance.now() - goneAt : ms)));
      pair.primary = pair.standby;
      await gone.remove();
      pair.standby = await attachStandby(pair.primary, gone.port);
    }
    await movers.finish();
    const { ledger } = movers;
    const { lost, doubled, claims } = await judgeMoves(world, supplier, ledger);
    const slowest = Math.max(...backMs);
    const middle = backMs.toSorted((one, two) => one - two)[Math.floor(backMs.length / 2)] ?? 0;
    return {
      figures: `${promotions} promotions, ${INSTANCES} instances; every instance answered again ${Math.round(middle)} ms (median) and at most ${Math.round(slowest)} ms after the primary was gone; ${ledger.accounts.size} accounts, ${ledger.sent} requests, in doubt: ${doubtsOf(ledger)}; ${lost} lost, ${doubled} doubled`,
      claims: [
        ...claims,
        ...wasFelt(ledger, promotions),
        exactly('every instance came back after every promotion', String(Number.isFinite(slowest)), 'true'),
        none(
          'an answer to an operator or a probe that is not as promised',
          probes.flatMap(({ odd }) => odd),
        ),
        within('back after the primary was gone', slowest, BACK_WITHIN_MS),
      ],
    };
  },
};

/** A standby that every commit of the primary waits for, once it has caught up. */
async function attachStandby(primary: PostgresServer, port?: number): Promise<PostgresServer> {
  await primary.query('ALTER SYSTEM RESET synchronous_standby_names');
  await primary.query('SELECT pg_reload_conf()');
  const standby = await primary.copy(port === undefined ? {} : { port });
  const { username, password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=standby`;
  await standby.write('postgresql.auto.conf', `primary_conninfo = '${source}'\n`);
  await standby.write('standby.signal', '');
  await standby.start();
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await primary.query('SELECT pg_reload_conf()');
  const isSynchronous = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await primary.query(isSynchronous)).length === 0) await delay(POLL_INTERVAL_MS);
  return standby;
}
