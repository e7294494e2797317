import { type FakeVendor, type Fault, startFakeVendor, startFaultProxy, type VendorBehaviour } from '@causeway/testing';
import { readEffects, timesCounted } from '../rig/effects.ts';
import { knownInstruction, operationOn, performSteps } from '../rig/operations.ts';
import { nameOf, send } from '../rig/send.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { inLanes, timeUntil } from '../rig/wait.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const ANSWER_WITHIN_MS = 10_000;
const AT_ONCE = 10;

/** Faults of a payment vendor and the connection to it; the database is not disturbed. */
export const surviveVendor: Scenario = {
  row: 6,
  title: 'vendor faults',
  unit: 'of each fault',
  // More would be refused as overload while they wait, or wait for their turn longer than for the vendor.
  full: 25,
  short: 1,
  async run(repeats, random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    const behindProxy = await startFakeVendor();
    stack.defer(() => behindProxy.close());
    const proxy = await startFaultProxy({ port: Number(new URL(behindProxy.url).port) });
    stack.defer(() => proxy.close());
    const world = stack.use(await startWorld({ vendors: { PROXIED: `http://127.0.0.1:${proxy.port}` } }));
    const supplier = await world.createSupplier();
    const site: Site = { world, behindProxy, supplier, calls: 0, odd: [], slowestMs: 0 };
    const perform = async (fault: VendorFault) => (await prepareImport(site, fault))();
    const repeated = (faults: readonly VendorFault[]) => faults.flatMap((one) => Array<VendorFault>(repeats).fill(one));

    proxy.arm({ direction: 'to-client', at: { bytes: 20 }, does: 'black-hole', times: repeats });
    const waiting = await waitTogether(site, repeated(WAITING));
    await inLanes(
      AT_ONCE,
      repeated(PROMPT).map((fault) => () => perform(fault)),
    );
    for (const fault of repeated(LINE)) {
      const at = { bytes: random.integer(0, 100) };
      proxy.arm({ direction: 'to-client', does: 'cut', ...fault.line, at });
      await perform(fault);
    }

    const effects = await readEffects(world, supplier);
    const wrong = effects.filter((one) => timesCounted(one, 'instruction') !== (one.account.startsWith('201') ? 1 : 0));
    return {
      figures: `${site.calls} calls with ${[...WAITING, ...PROMPT, ...LINE].length} kinds of fault, slowest answer ${Math.round(site.slowestMs)} ms, ${waiting.held} locks or transactions held during ${waiting.calls} waiting calls`,
      claims: [
        ...none({
          'an answer other than the documented one': site.odd,
          'instructions stored that should not be, or missing': wrong.map(({ account }) => account),
        }),
        exactly('calls that waited for a vendor at once', waiting.reached, waiting.calls),
        exactly('transactions and locks held while they waited', waiting.held, 0),
        exactly('faults of the line that happened', proxy.fired, (1 + LINE.length) * repeats),
        within('every answer', site.slowestMs, ANSWER_WITHIN_MS),
      ],
    };
  },
};

interface Site {
  world: World;
  /** A vendor that is reached through the proxy. */
  behindProxy: FakeVendor;
  supplier: Supplier;
  calls: number;
  odd: unknown[];
  slowestMs: number;
}

/** Creates an account, up to the tested call, which notes an answer that differs from the documented one. */
async function prepareImport(site: Site, { name, expected, behave, line }: VendorFault): Promise<() => Promise<void>> {
  const { world, supplier, behindProxy } = site;
  const { token } = supplier;
  site.calls += 1;
  const number = site.calls;
  const account = `${expected} ${name} ${number}`;
  await performSteps(world, supplier, account, ['stage', 'process']);
  const reference = `pm_${number}`;
  const vendor = line === undefined ? world.vendor : behindProxy;
  vendor.behaveFor(reference, behave(reference, vendor.url));
  const { path, body } = operationOn(supplier, account, 'instruction');
  const sent = { ...body, vendor: line === undefined ? 'VENDOR' : 'PROXIED', reference };
  // Every second one is marked: storing its answer must not keep a transaction open either.
  const headers: Record<string, string> = number % 2 === 0 ? { 'Idempotency-Key': `key-${number}` } : {};
  return async () => {
    const startedAt = performance.now();
    const answer = await send(world.url(), { path, body: sent, token, headers });
    site.slowestMs = Math.max(site.slowestMs, performance.now() - startedAt);
    if (nameOf(answer) !== expected) site.odd.push({ account, answer: nameOf(answer), expected });
  };
}

/** All calls whose vendor never finishes, and what the service holds in the database meanwhile. */
async function waitTogether(site: Site, faults: readonly VendorFault[]) {
  const { world, behindProxy } = site;
  const imports: (() => Promise<void>)[] = [];
  await inLanes(
    AT_ONCE,
    faults.map((one) => async () => void imports.push(await prepareImport(site, one))),
  );
  const asked = () => world.vendor.requestCount() + behindProxy.requestCount();
  const before = asked();
  const all = Promise.all(imports.map((start) => start()));
  await Promise.race([all, timeUntil(() => asked() >= before + faults.length)]);
  const reached = asked() - before;
  const held = await world.count(
    `SELECT count(*) FROM pg_stat_activity activity
    WHERE application_name = 'causeway' AND (xact_start IS NOT NULL
      OR EXISTS (SELECT FROM pg_locks lock WHERE lock.pid = activity.pid))`,
  );
  await all;
  return { calls: faults.length, reached, held };
}

/** A fault of a vendor, and the answer that behaviour 4.7 specifies for it. */
interface VendorFault {
  name: string;
  expected: string;
  behave(reference: string, vendorUrl: string): VendorBehaviour;
  /** Of the connection to the vendor; once, if it is not a wait: the vendor is asked again. */
  line?: Partial<Fault>;
}

const UNAVAILABLE = '500 payment_vendor_unavailable';
const REJECTED = '400 payment_vendor_rejected';
const good = (reference: string) => knownInstruction(reference).body;

/** The answer takes until the service's timeout. */
const WAITING: readonly VendorFault[] = [
  { name: 'silent', expected: UNAVAILABLE, behave: () => ({ kind: 'silence' }) },
  { name: 'stalled', expected: UNAVAILABLE, behave: (reference) => ({ kind: 'stall', body: good(reference) }) },
  { name: 'trickling', expected: UNAVAILABLE, behave: () => ({ kind: 'trickle', intervalMs: 300 }) },
  { name: 'black hole', expected: UNAVAILABLE, behave: knownInstruction, line: {} },
];

/** Of each kind of status: packages/domain/test/payment-vendors has all of them. */
const STATUSES = { 302: REJECTED, 404: REJECTED, 202: UNAVAILABLE, 401: UNAVAILABLE, 500: UNAVAILABLE };

const PROMPT: readonly VendorFault[] = [
  ...Object.entries(STATUSES).map(
    ([status, expected]): VendorFault => ({
      ...{ name: `status ${status}`, expected },
      // The redirect leads to the correct answer, for a client that follows it.
      behave: (reference, vendorUrl) => ({
        ...{ kind: 'answer', status: Number(status), body: good(reference) },
        headers: { location: `${vendorUrl}/elsewhere/${reference}` },
      }),
    }),
  ),
  { name: 'reset', expected: UNAVAILABLE, behave: () => ({ kind: 'reset' }) },
  { name: 'slow', expected: '201', behave: (reference) => ({ ...knownInstruction(reference), delayMs: 1_500 }) },
  { name: 'truncated', expected: UNAVAILABLE, behave: (reference) => ({ kind: 'cut', body: good(reference) }) },
  { name: 'oversized', expected: UNAVAILABLE, behave: () => ({ kind: 'flood' }) },
  { name: 'no JSON', expected: UNAVAILABLE, behave: () => ({ kind: 'answer', body: '<html>busy</html>' }) },
];

const LINE: readonly VendorFault[] = [
  { name: 'cut question', expected: '201', behave: knownInstruction, line: { direction: 'to-server' } },
  { name: 'cut answer', expected: '201', behave: knownInstruction, line: {} },
  { name: 'slow line', expected: '201', behave: knownInstruction, line: { does: { delayMs: 700 } } },
];
