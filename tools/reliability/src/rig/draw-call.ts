import fc from 'fast-check';
import type { Call } from './model.ts';

const MAX_CALLS = 30;
const BILLING_NAMES = ['Zoë Hartley', 'Zoë Okafor', 'Mx Hartley'] as const;

/** Few names here and below, so that calls collide. */
export const REFERENCES = ['pm_1', 'pm_2'] as const;

const kind = <Kind extends Call['kind']>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 4 });
const id = fc.constantFrom('1', '2', '3');
const amount = fc.record({ id, pence: fc.integer({ min: 1, max: 9_999_999_999 }) });
const statement = fc.record({ id, pence: fc.constantFrom(8420, 8420, -5) });

/** The calls and their relative frequency: like a supplier's, with some nonsense. */
const KINDS = [
  [6, fc.record({ kind: kind('stage'), billingName: fc.constantFrom(...BILLING_NAMES) })],
  [6, fc.record({ kind: kind('process'), dryRun: fc.constant(false), knownTeam: fc.constant(true) })],
  [2, fc.record({ kind: kind('process'), dryRun: fc.boolean(), knownTeam: fc.boolean() })],
  [1, fc.record({ kind: kind('skip', 'pause') })],
  [3, fc.record({ kind: kind('unskip', 'resume', 'status') })],
  [4, fc.record({ kind: kind('notes'), bodies: some(fc.constantFrom('a', 'b', 'c')) })],
  [5, fc.record({ kind: kind('transactions'), added: some(amount), checked: fc.boolean() })],
  [
    4,
    fc.record({
      kind: kind('statements'),
      sent: fc.uniqueArray(statement, { minLength: 1, selector: (one) => one.id }),
    }),
  ],
  [3, fc.record({ kind: kind('instruction'), reference: fc.constantFrom(...REFERENCES) })],
  [3, fc.record({ kind: kind('list'), of: fc.constantFrom('all' as const, 'pending' as const, 'imported' as const) })],
] as const;

/** Any call, mostly about one of four accounts; one in ten comes from the other organisation. */
function drawCall(): fc.Arbitrary<Call> {
  const on = fc
    .record({ owner: fc.constantFrom(0, 0, 0, 1), tenth: fc.nat(9), account: fc.constantFrom('A-1', 'A-1', 'A-2') })
    .map(({ owner, tenth, account }) => ({ owner, account, caller: tenth === 9 ? 1 - owner : owner }));
  const what = fc.oneof(
    ...KINDS.map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary as fc.Arbitrary<object> })),
  );
  return fc.tuple(on, what).map(([base, rest]) => ({ ...base, ...rest }) as Call);
}

const FIRST = { owner: 0, caller: 0, account: 'A-1' } as const;
const BEGINNINGS: Call[][] = [
  [],
  [{ ...FIRST, kind: 'stage', billingName: BILLING_NAMES[0] }],
  [
    { ...FIRST, kind: 'stage', billingName: BILLING_NAMES[0] },
    { ...FIRST, kind: 'process', dryRun: false, knownTeam: true },
  ],
];

/** A sequence of calls; two in three begin with an account staged or imported, to get further. */
export function drawSequence(): fc.Arbitrary<Call[]> {
  const rest = fc.array(drawCall(), { maxLength: MAX_CALLS, size: 'max' });
  return fc.tuple(fc.constantFrom(...BEGINNINGS), rest).map(([first, then]) => [...first, ...then]);
}
