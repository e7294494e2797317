import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import { doubtsOf, judgeMoves, wasFelt } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { createProbe } from '../rig/probe.ts';
import { type EmbeddedWorld, startEmbeddedWorld } from '../rig/start-embedded-world.ts';
import { type Claim, exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const CLIENTS = 4;
const PEACE_MS = { from: 50, to: 1_500 };
const BACK_WITHIN_MS = 10_000;
/** How long the service may be unavailable before it counts as permanently lost. */
const PATIENCE_MS = 30_000;

/** kill -9 of the server that the service runs itself, or of one of its sessions, while clients move accounts. */
export const surviveDeadServer: Scenario = {
  row: 13,
  title: 'kill -9 of the embedded database server under load',
  unit: 'kills',
  full: 60,
  short: 1,
  async run(kills, random): Promise<Outcome> {
    await using world = await startEmbeddedWorld();
    const supplier = await world.createSupplier();
    const givenUp = new AbortController();
    const clients = { supplier, clients: CLIENTS, random: random.fork('clients'), signal: givenUp.signal };
    const movers = moveAccounts(world, clients);
    const probe = createProbe(world, supplier);
    const port = world.postmaster()?.port;
    const slowestMs = { server: 0, session: 0 };
    const untold: number[] = [];
    let strikes = 0;
    while (strikes < kills && Number.isFinite(slowestMs.server + slowestMs.session)) {
      strikes += 1;
      await delay(random.integer(PEACE_MS.from, PEACE_MS.to));
      // Both kinds, even with few strikes.
      const victim = strikes % 2 === 1 ? 'server' : 'session';
      probe.toldNotReady = false;
      const isThere = await strike(world, victim, random);
      slowestMs[victim] = Math.max(slowestMs[victim], await probe.untilBack(PATIENCE_MS, isThere));
      if (victim === 'server' && !probe.toldNotReady) untold.push(strikes);
    }
    const isBack = Number.isFinite(slowestMs.server + slowestMs.session);
    if (!isBack) givenUp.abort();
    await movers.finish();
    const { ledger } = movers;
    const claims: Claim[] = [
      exactly('kills after which the service came back', isBack ? strikes : strikes - 1, kills),
      none('kills of the server that /readyz did not tell of', untold),
      none('an answer to an operator or a probe that is not as promised', probe.odd),
    ];
    if (!isBack) return { figures: `gone for good after kill ${strikes}`, claims };
    const judged = await judgeMoves(world, supplier, ledger);
    return {
      figures: `${strikes} kills, back within ${Math.round(slowestMs.server)} ms when the server was killed, ${Math.round(slowestMs.session)} ms when a session was; ${ledger.accounts.size} accounts, ${ledger.sent} requests, in doubt: ${doubtsOf(ledger)}; ${judged.lost} lost, ${judged.doubled} doubled`,
      claims: [
        ...claims,
        ...judged.claims,
        ...wasFelt(ledger, strikes),
        exactly('requests without an answer', ledger.doubts['no answer'] ?? 0, 0),
        exactly("the server's port is the same in the end", world.postmaster()?.port ?? 'none', port ?? 'none'),
        within('back after a kill of the server', slowestMs.server, BACK_WITHIN_MS),
        within('back after a kill of a session', slowestMs.session, BACK_WITHIN_MS),
      ],
    };
  },
};

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
      const isThere = await strike(world, random.pick(['server', 'session']), random);
      const backMs = await probe.untilBack(PATIENCE_MS, isThere);
      claims.push(exactly('the services come back after the crash', String(Number.isFinite(backMs)), 'true'));
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
        none('an answer to an operator or a probe that is not as promised', probe.odd),
        exactly('the server is the same afterwards', world.postmaster()?.pid ?? 'none', server ?? 'none'),
      );
    }
    return { figures: `${rounds} rounds, back within ${Math.round(slowestMs)} ms of the crash`, claims };
  },
};

/** Kills the server or a session of the service; returns when a server may answer again. */
async function strike(world: EmbeddedWorld, victim: 'server' | 'session', random: Random): Promise<() => boolean> {
  const server = world.postmaster();
  if (server === undefined) throw new Error('There is no database server to kill.');
  if (victim === 'server') {
    process.kill(server.pid, 'SIGKILL');
    return () => (world.postmaster()?.pid ?? server.pid) !== server.pid;
  }
  const sessions = await world.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE application_name = 'causeway' ORDER BY pid",
  );
  process.kill(random.pick(sessions).pid, 'SIGKILL');
  return () => world.postmaster() !== undefined;
}
