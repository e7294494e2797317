import { setTimeout as delay } from 'node:timers/promises';
import { canMountDisk, mountSmallDisk, type Random, type SmallDisk } from '@causeway/testing';
import { doubtsOf, judgeMoves, wasFelt } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { createProbe } from '../rig/probe.ts';
import { startEmbeddedWorld } from '../rig/start-embedded-world.ts';
import { type Claim, exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const CLIENTS = 4;
const DISK_MB = 400;
const PEACE_MS = { from: 50, to: 1_000 };
const HELD_MS = { from: 100, to: 3_000 };
const BACK_WITHIN_MS = 15_000;
/** How long the service may be unavailable once there is space before it counts as permanently lost. */
const PATIENCE_MS = 60_000;
/** A full disk affects the next write that needs a new page. */
const FELT_WITHIN_MS = 20_000;

/** The disk of the database, with tables and log, is full for a while, while clients move accounts. */
export const surviveFullDisk: Scenario = {
  row: 15,
  title: 'a full disk under the embedded database for a while',
  unit: 'spells',
  full: 30,
  short: 1,
  async run(spells, random): Promise<Outcome> {
    if (!canMountDisk()) {
      const found = 'A small file system cannot be mounted here: it takes Linux, and root.';
      return { figures: found, claims: [{ what: 'the row was run', holds: false, found }] };
    }
    const disk = mountSmallDisk(DISK_MB);
    try {
      return await fillAgainAndAgain(disk, spells, random);
    } finally {
      disk.unmount();
    }
  },
};

async function fillAgainAndAgain(disk: SmallDisk, spells: number, random: Random): Promise<Outcome> {
  await using world = await startEmbeddedWorld({ dataDirectory: disk.folder });
  const supplier = await world.createSupplier();
  const givenUp = new AbortController();
  const clients = { supplier, clients: CLIENTS, random: random.fork('clients'), signal: givenUp.signal };
  const movers = moveAccounts(world, clients);
  const probe = createProbe(world, supplier);
  const servers = new Set([world.postmaster()?.pid]);
  const slowestMs = { felt: 0, back: 0 };
  let done = 0;
  while (done < spells && Number.isFinite(slowestMs.back)) {
    done += 1;
    await delay(random.integer(PEACE_MS.from, PEACE_MS.to));
    disk.fill();
    // Every second time the log needs a new file and cannot get it, which ends the server itself.
    if (done % 2 === 0) await world.query('SELECT pg_switch_wal()').catch(() => undefined);
    slowestMs.felt = Math.max(slowestMs.felt, await probe.untilRefused(FELT_WITHIN_MS));
    await delay(random.integer(HELD_MS.from, HELD_MS.to));
    await disk.empty();
    slowestMs.back = Math.max(slowestMs.back, await probe.untilBack(PATIENCE_MS));
    servers.add(world.postmaster()?.pid);
  }
  const isBack = Number.isFinite(slowestMs.back);
  if (!isBack) givenUp.abort();
  await movers.finish();
  const { ledger } = movers;
  const claims: Claim[] = [
    exactly('spells after which the service came back', isBack ? done : done - 1, spells),
    exactly('every spell was felt', String(Number.isFinite(slowestMs.felt)), 'true'),
    none('an answer to an operator or a probe that is not as promised', probe.odd),
  ];
  if (!isBack) {
    return {
      figures: `gone for good after spell ${done}`,
      claims: [...claims, none('an answer that is neither success nor 503 with Retry-After', ledger.odd)],
    };
  }
  const judged = await judgeMoves(world, supplier, ledger);
  return {
    figures: `${done} spells on a disk of ${DISK_MB} MB, felt within ${Math.round(slowestMs.felt)} ms, back ${Math.round(slowestMs.back)} ms after there was room, ${servers.size - 1} times with a new server; ${ledger.accounts.size} accounts, ${ledger.sent} requests, in doubt: ${doubtsOf(ledger)}; ${judged.lost} lost, ${judged.doubled} doubled`,
    claims: [
      ...claims,
      ...judged.claims,
      ...wasFelt(ledger, done),
      within('back after there is room', slowestMs.back, BACK_WITHIN_MS),
    ],
  };
}
