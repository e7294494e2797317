import {
  type FakeVendor,
  type Fault,
  type FaultProxy,
  type Random,
  startFakeVendor,
  startFaultProxy,
  type VendorBehaviour,
} from '@causeway/testing';
import { readEffects, timesCounted } from '../rig/effects.ts';
import { knownInstruction, operationOn, performSteps } from '../rig/operations.ts';
import { nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { inLanes, timeUntil } from '../rig/wait.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const ANSWER_WITHIN_MS = 10_000;
const UNAVAILABLE = '500 payment_vendor_unavailable';
const AT_ONCE = 10;
/** More would be refused as overload, or wait for their turn longer than for the vendor. */
const WAITING_AT_ONCE = 100;

/** Faults of a payment vendor and the connection to it; the database is not disturbed. */
export const surviveVendor: Scenario = {
  row: 6,
  title: 'vendor faults',
  unit: 'of each fault',
  full: 100,
  short: 1,
  async run(repeats, random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    const behindProxy = await startFakeVendor();
    stack.defer(() => behindProxy.close());
    const proxy = await startFaultProxy({ port: Number(new URL(behindProxy.url).port) });
    stack.defer(() => proxy.close());
    const world = stack.use(await startWorld({ vendors: { PROXIED: `http://127.0.0.1:${proxy.port}` } }));
    const supplier = await world.createSupplier();
    const site: Site = { world, behindProxy, proxy, supplier, calls: 0, odd: [], slowestMs: 0 };

    const waiting = await everyoneWaits(site, repeats);
    const quick = VENDOR_FAULTS.filter(({ waits }) => waits !== true);
    const calls = quick.map((fault) => callFor(site, fault));
    await inLanes(
      AT_ONCE,
      calls.flatMap((one) => Array.from({ length: repeats }, () => () => perform(site, one))),
    );
    for (const fault of lineFaults(random, repeats)) await loseLine(site, fault);

    const effects = await readEffects(world, site.supplier);
    const wrong = effects.filter((one) => timesCounted(one, 'instruction') !== (one.account.startsWith('201') ? 1 : 0));
    return {
      figures: `${site.calls} calls with ${VENDOR_FAULTS.length + 3} kinds of fault, slowest answer ${Math.round(site.slowestMs)} ms, ${waiting.held} locks or transactions held during ${waiting.calls} waiting calls`,
      claims: [
        ...none({
          'an answer other than the documented one': site.odd,
          'instructions stored that should not be, or missing': wrong.map(({ account }) => account),
        }),
        exactly('calls that waited for a vendor at once', waiting.reached, waiting.calls),
        exactly('transactions and locks held while they waited', waiting.held, 0),
        exactly('faults of the line that happened', proxy.fired, 4 * repeats),
        within('every answer', site.slowestMs, ANSWER_WITHIN_MS),
      ],
    };
  },
};

interface Site {
  world: World;
  behindProxy: FakeVendor;
  proxy: FaultProxy;
  supplier: Supplier;
  calls: number;
  odd: unknown[];
  slowestMs: number;
}

interface Call {
  name: string;
  vendor: 'VENDOR' | 'PROXIED';
  expected: string;
  /** Sets the vendor's behaviour for the call's reference. */
  prepare: (reference: string) => void;
}

function callFor({ world: { vendor } }: Site, { name, expected, behave }: VendorFault): Call {
  const prepare = (reference: string) => vendor.behaveFor(reference, behave(reference, vendor.url));
  return { name, vendor: 'VENDOR', expected, prepare };
}

/** Over a connection that breaks, to a vendor that answers correctly. */
function proxiedCall({ behindProxy }: Site, name: string, expected: string): Call {
  const prepare = (reference: string) => behindProxy.behaveFor(reference, knownInstruction(reference));
  return { name, vendor: 'PROXIED', expected, prepare };
}

/** Imports an instruction into a new account and records an answer that differs from the documented one. */
async function perform(site: Site, call: Call): Promise<void> {
  const importInstruction = await prepareImport(site, call);
  await importInstruction();
}

/** Creates the account, up to the tested call. */
async function prepareImport(site: Site, { name, vendor, expected, prepare }: Call): Promise<() => Promise<void>> {
  const { world, supplier } = site;
  site.calls += 1;
  const number = site.calls;
  const account = `${expected} ${name} ${number}`;
  const { token } = supplier;
  await performSteps(world, supplier, account, ['stage', 'process']);
  const reference = `pm_${number}`;
  prepare(reference);
  const { path, body } = operationOn(supplier, account, 'instruction');
  // Every second one is marked: storing its answer must not keep a transaction open either.
  const headers: Record<string, string> = number % 2 === 0 ? { 'Idempotency-Key': `key-${number}` } : {};
  return async () => {
    const startedAt = performance.now();
    const answer = await send(world.url(), { path, body: { ...body, vendor, reference }, token, headers });
    site.slowestMs = Math.max(site.slowestMs, performance.now() - startedAt);
    if (nameOf(answer) !== expected) site.odd.push({ account, answer: nameOf(answer), expected });
  };
}

/**
 * All calls whose vendor never finishes, many concurrently; returns what the service holds in the database meanwhile.
 */
async function everyoneWaits(site: Site, repeats: number) {
  const { proxy } = site;
  const faults = VENDOR_FAULTS.filter(({ waits }) => waits === true);
  const calls = [...faults.map((fault) => callFor(site, fault)), proxiedCall(site, 'black hole', UNAVAILABLE)];
  proxy.arm({ direction: 'to-client', at: { bytes: 20 }, does: 'black-hole', times: repeats });
  const left = calls.flatMap((one) => Array.from({ length: repeats }, () => one));
  const found = { calls: left.length, reached: 0, held: 0 };
  while (left.length > 0) {
    const { reached, held } = await waitTogether(site, left.splice(0, WAITING_AT_ONCE));
    found.reached += reached;
    found.held += held;
  }
  return found;
}

async function waitTogether(site: Site, calls: readonly Call[]): Promise<{ reached: number; held: number }> {
  const { world, behindProxy } = site;
  const imports: (() => Promise<void>)[] = [];
  await inLanes(
    AT_ONCE,
    calls.map((one) => async () => void imports.push(await prepareImport(site, one))),
  );
  const asked = () => world.vendor.requestCount() + behindProxy.requestCount();
  const before = asked();
  const all = Promise.all(imports.map((start) => start()));
  await Promise.race([all, timeUntil(() => asked() >= before + calls.length)]);
  const reached = asked() - before;
  const held = await world.count(
    `SELECT count(*) FROM pg_stat_activity activity
    WHERE application_name = 'causeway' AND (xact_start IS NOT NULL
      OR EXISTS (SELECT FROM pg_locks lock WHERE lock.pid = activity.pid))`,
  );
  await all;
  return { reached, held };
}

/** The connection to the vendor breaks once, in the request or in the head of the answer, or is slow: it is asked again. */
function lineFaults(random: Random, repeats: number): Fault[] {
  const cuts = Array.from({ length: repeats }, (): Fault[] => [
    { direction: 'to-server', at: { bytes: random.integer(0, 100) }, does: 'cut' },
    { direction: 'to-client', at: { bytes: random.integer(0, 100) }, does: 'cut' },
    { direction: 'to-client', at: { bytes: random.integer(0, 100) }, does: { delayMs: 700 } },
  ]);
  return cuts.flat();
}

async function loseLine(site: Site, fault: Fault): Promise<void> {
  site.proxy.arm(fault);
  const isSlow = typeof fault.does === 'object';
  await perform(site, proxiedCall(site, isSlow ? 'slow line' : `cut ${fault.direction}`, '201'));
}

const REJECTED = '400 payment_vendor_rejected';

/** A fault of a vendor, and the answer that behaviour 4.7 specifies for it. */
interface VendorFault {
  name: string;
  behave(reference: string, vendorUrl: string): VendorBehaviour;
  expected: string;
  /** The answer takes until the service's timeout. */
  waits?: boolean;
}

const good = (reference: string) => knownInstruction(reference).body;

/** Of each kind: packages/domain/test/payment-vendors has all of them. */
const PERMANENT = [302, 404];
const PASSING = [202, 401, 500];

const fault = (name: string, expected: string, behave: VendorFault['behave']): VendorFault => ({
  ...{ name, expected, behave },
});

const status = (code: number, expected: string): VendorFault =>
  // The redirect leads to the correct answer, for a client that follows it.
  fault(`status ${code}`, expected, (reference, vendorUrl) => ({
    ...{ kind: 'answer', status: code, headers: { location: `${vendorUrl}/elsewhere/${reference}` } },
    body: good(reference),
  }));

const waiting = (name: string, behave: VendorFault['behave']): VendorFault => ({
  ...fault(name, UNAVAILABLE, behave),
  waits: true,
});

/** Faults of a vendor's server with an intact connection. */
const VENDOR_FAULTS: readonly VendorFault[] = [
  ...PERMANENT.map((code) => status(code, REJECTED)),
  ...PASSING.map((code) => status(code, UNAVAILABLE)),
  fault('reset', UNAVAILABLE, () => ({ kind: 'reset' })),
  fault('slow', '201', (reference) => ({ ...knownInstruction(reference), delayMs: 1_500 })),
  fault('truncated', UNAVAILABLE, (reference) => ({ kind: 'cut', body: good(reference) })),
  fault('oversized', UNAVAILABLE, () => ({ kind: 'flood' })),
  waiting('silent', () => ({ kind: 'silence' })),
  waiting('stalled', (reference) => ({ kind: 'stall', body: good(reference) })),
  waiting('trickling', () => ({ kind: 'trickle', intervalMs: 300 })),
  fault('no JSON', UNAVAILABLE, () => ({ kind: 'answer', body: '<html>busy</html>' })),
  fault('revoked', REJECTED, (reference) => ({ kind: 'answer', body: { ...good(reference), status: 'REVOKED' } })),
];
