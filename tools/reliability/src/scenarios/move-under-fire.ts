import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import { moveAccounts, wasFelt } from '../rig/move-accounts.ts';
import { createProbe } from '../rig/probe.ts';
import type { ServiceWorld } from '../rig/service-world.ts';
import { startEmbeddedWorld } from '../rig/start-embedded-world.ts';
import { startWorld } from '../rig/start-world.ts';
import { crashDatabase, FAST_RECOVERY, killInstances } from '../rig/strikers.ts';
import { type Claim, exactly, isSo, none, type Outcome, type Scenario } from '../scenario.ts';
import {
  type Battle,
  fillDisk,
  killEmbedded,
  killServer,
  mountDisk,
  promoteStandby,
  refuseWrites,
  startPair,
  struckBy,
  type Trouble,
} from './troubles.ts';

interface Fire<Ground extends ServiceWorld> extends Pick<Scenario, 'row' | 'title' | 'unit' | 'full'> {
  open(stack: AsyncDisposableStack): Promise<Ground>;
  clients: number;
  /** The random pause before a strike, so that they hit any point. */
  peaceMs: { from: number; to: number };
  begin(battle: Battle<Ground>): Trouble;
}

/** A key whose request was interrupted is claimed for 30 seconds: too long for the short form. */
const MANY_STRIKES = 50;
const KEYED_SHARE = 0.1;

/** Clients move accounts under fire: what was acknowledged is there afterwards, and nothing twice. */
function underFire<Ground extends ServiceWorld>({ open, clients, peaceMs, begin, ...row }: Fire<Ground>): Scenario {
  const run = async (strikes: number, random: Random): Promise<Outcome> => {
    await using stack = new AsyncDisposableStack();
    const world = stack.use(await open(stack));
    const supplier = await world.createSupplier();
    const givenUp = new AbortController();
    const movers = moveAccounts(world, {
      ...{ supplier, clients, random: random.fork('clients'), signal: givenUp.signal },
      keyedShare: strikes < MANY_STRIKES ? 0 : KEYED_SHARE,
    });
    const { ledger } = movers;
    const trouble = begin({ world, supplier, ledger, random: random.fork('victims'), strikes });
    for (let strike = 1; strike <= strikes; strike += 1) {
      await delay(random.integer(peaceMs.from, peaceMs.to));
      if (await trouble.strike(strike)) continue;
      givenUp.abort();
      await movers.finish();
      const claims = [exactly(`${row.unit} after which the service came back`, strike - 1, strikes)];
      return { figures: `gone for good after ${strike} ${row.unit}`, claims };
    }
    await trouble.finish?.();
    const judged = await movers.judge();
    const { figures, claims } = trouble.tell(judged);
    return { figures, claims: [...judged.claims, ...wasFelt(ledger, strikes), ...claims] };
  };
  return { ...row, short: 1, run };
}

/** The rows in which accounts are moved, one by one, under fire. */
export const MOVE_UNDER_FIRE: readonly Scenario[] = [
  underFire({
    ...{ row: 4, title: 'kill -9 of the service under load', unit: 'kills', full: 200 },
    open: () => startWorld({ instances: 4 }),
    ...{ clients: 6, peaceMs: { from: 50, to: 550 } },
    begin: struckBy(killInstances),
  }),
  underFire({
    ...{ row: 4, title: 'immediate stop of the database under load', unit: 'stops', full: 200 },
    open: () => startWorld({ instances: 2, settings: FAST_RECOVERY }),
    ...{ clients: 6, peaceMs: { from: 50, to: 550 } },
    begin: struckBy(crashDatabase),
  }),
  underFire({
    ...{ row: 13, title: 'kill -9 of the embedded database server under load', unit: 'kills', full: 60 },
    open: () => startEmbeddedWorld(),
    ...{ clients: 4, peaceMs: { from: 50, to: 1_500 } },
    begin: killServer,
  }),
  underFire({
    ...{ row: 15, title: 'a full disk under the embedded database for a while', unit: 'spells', full: 30 },
    open: mountDisk,
    ...{ clients: 4, peaceMs: { from: 50, to: 1_000 } },
    begin: fillDisk,
  }),
  underFire({
    ...{ row: 16, title: 'a database that is read-only for a while', unit: 'spells', full: 40 },
    open: () => startWorld({ instances: 2 }),
    ...{ clients: 4, peaceMs: { from: 50, to: 500 } },
    begin: refuseWrites,
  }),
  underFire({
    ...{ row: 22, title: 'a synchronous standby is promoted under load', unit: 'promotions', full: 30 },
    open: startPair,
    ...{ clients: 6, peaceMs: { from: 300, to: 1_500 } },
    begin: promoteStandby,
  }),
];

/** How long the service may be unavailable before it counts as permanently lost. */
const PATIENCE_MS = 30_000;

/** Two services share the server; its sessions crash, then one service is stopped: the other must not notice. */
export const shareServer: Scenario = {
  row: 13,
  title: 'two services on one data directory, one stops after a crash of the database',
  unit: 'rounds',
  full: 10,
  short: 1,
  async run(rounds, random): Promise<Outcome> {
    const claims: Claim[] = [];
    let slowestMs = 0;
    for (let round = 1; round <= rounds; round += 1) {
      await using world = await startEmbeddedWorld({ instances: 2 });
      const supplier = await world.createSupplier();
      const stopped = random.integer(0, 1);
      const probe = createProbe(world, supplier, 1 - stopped);
      const isThere = await killEmbedded(world, random.pick(['server', 'session']), random);
      const backMs = await probe.untilBack(PATIENCE_MS, isThere);
      claims.push(isSo('the services come back after the crash', Number.isFinite(backMs)));
      if (!Number.isFinite(backMs)) continue;
      const server = world.postmaster()?.pid;
      const refusedBefore = probe.refused;
      const [code] = await Promise.all([
        world.instances[stopped]?.process.terminate(),
        probe.untilBack(PATIENCE_MS, () => world.instances[stopped]?.process.exited === true),
      ]);
      slowestMs = Math.max(slowestMs, backMs);
      claims.push(
        exactly('exit code of the service that is stopped', String(code), '0'),
        exactly('calls of the other one refused while it stops', probe.refused - refusedBefore, 0),
        ...none({ 'an answer to an operator or a probe that is not as promised': probe.odd }),
        exactly('the server is the same afterwards', world.postmaster()?.pid ?? 'none', server ?? 'none'),
      );
    }
    return { figures: `${rounds} rounds, back within ${Math.round(slowestMs)} ms of the crash`, claims };
  },
};
