import { setTimeout as delay } from 'node:timers/promises';
import { doubtsOf, judgeMoves, wasFelt } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { createProbe } from '../rig/probe.ts';
import { startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const CLIENTS = 4;
const PEACE_MS = { from: 50, to: 500 };
const HELD_MS = { from: 100, to: 1_000 };
const BACK_WITHIN_MS = 5_000;
/** How long the service may take to notice either change before it counts as never noticed. */
const PATIENCE_MS = 10_000;

/**
 * The database stops accepting writes, as after a failover to a standby, while clients move accounts; then it accepts
 * them again.
 */
export const surviveReadOnly: Scenario = {
  row: 16,
  title: 'a database that is read-only for a while',
  unit: 'spells',
  full: 40,
  short: 1,
  async run(spells, random): Promise<Outcome> {
    await using world = await startWorld({ instances: 2 });
    const supplier = await world.createSupplier();
    const givenUp = new AbortController();
    const clients = { supplier, clients: CLIENTS, random: random.fork('clients'), signal: givenUp.signal };
    const movers = moveAccounts(world, clients);
    const probe = createProbe(world, supplier);
    const slowestMs = { told: 0, back: 0 };
    const isWell = () => Number.isFinite(slowestMs.told + slowestMs.back);
    for (let spell = 1; spell <= spells && isWell(); spell += 1) {
      await delay(random.integer(PEACE_MS.from, PEACE_MS.to));
      const way = WAYS[spell % WAYS.length] ?? wholeServer;
      await way(world, 'on');
      slowestMs.told = Math.max(slowestMs.told, await probe.untilDown(PATIENCE_MS));
      await delay(random.integer(HELD_MS.from, HELD_MS.to));
      await way(world, 'off');
      slowestMs.back = Math.max(slowestMs.back, await probe.untilBack(PATIENCE_MS));
    }
    if (!isWell()) givenUp.abort();
    await movers.finish();
    const { ledger } = movers;
    const { lost, doubled, claims } = await judgeMoves(world, supplier, ledger);
    const [told, back] = [slowestMs.told, slowestMs.back];
    return {
      figures: `${spells} spells, told after at most ${Math.round(told)} ms, back within ${Math.round(back)} ms; ${ledger.accounts.size} accounts, ${ledger.sent} requests, in doubt: ${doubtsOf(ledger)}; ${lost} lost, ${doubled} doubled`,
      claims: [
        ...claims,
        ...wasFelt(ledger, spells),
        exactly('every spell was told, by 503 to a write and by /readyz', String(Number.isFinite(told)), 'true'),
        exactly('the service came back after every spell', String(Number.isFinite(back)), 'true'),
        none('an answer to an operator or a probe that is not as promised', probe.odd),
        within('back after the spell', back, BACK_WITHIN_MS),
      ],
    };
  },
};

type Way = (world: World, readOnly: 'on' | 'off') => Promise<void>;

/** Open sessions notice with their next transaction. */
const wholeServer: Way = async (world, readOnly) => {
  await world.query(`ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`);
  await world.query('SELECT pg_reload_conf()');
};

/** Terminates open sessions, like a failover: the next ones may not write, even when others may again. */
const sessionsToCome: Way = async (world, readOnly) => {
  const [row] = await world.query<{ name: string }>('SELECT current_database() AS name');
  // RESET, not off: `off` would override the server's setting permanently.
  const change = readOnly === 'on' ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only';
  await world.query(`ALTER DATABASE "${row?.name}" ${change}`);
  if (readOnly === 'off') return;
  await world.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'causeway'");
};

const WAYS: readonly Way[] = [wholeServer, sessionsToCome];
