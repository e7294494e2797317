import fc from 'fast-check';
import type { Call } from './account.ts';
import { FUTURE, type History, type Payload } from './content.ts';
import { UNKNOWN_REFERENCE } from './imports.ts';

const MAX_CALLS = 30;
const BILLING_NAMES = ['Zoë Hartley', 'Zoë Okafor', 'Mx Hartley'] as const;

/** Few names here and below, so that calls collide. */
export const REFERENCES = ['pm_1', 'pm_2'] as const;

const kind = <Kind extends Call['kind']>(...kinds: Kind[]) => fc.constantFrom(...kinds);
const one = <const Value>(...values: Value[]) => fc.constantFrom(...values);
/** Each identifier once, because a request that repeats one with another value is refused. */
const listOf = <Item extends object>(item: fc.Arbitrary<Item>, identifier: keyof Item, minLength: number) =>
  fc.uniqueArray(item, { minLength, maxLength: 3, selector: (each) => each[identifier] });

const note = fc.record(
  {
    body: one('a', 'b', 'c'),
    created_at: one('2025-11-20T10:15:00Z', '2025-11-21T10:15:00Z'),
    is_pinned: fc.boolean(),
    external_id: one('N-1', 'N-2'),
  },
  { requiredKeys: ['body'] },
);
const notes = fc.array(note, { minLength: 1, maxLength: 4 });
const carriedNotes = fc.uniqueArray(note, { maxLength: 4, selector: ({ external_id }) => external_id ?? {} });
const id = one('1', '2', '3');
const pence = fc.oneof({ weight: 3, arbitrary: fc.constant(7654) }, fc.integer({ min: 1, max: 9_999_999_999 }));
const type = one('CHARGE', 'CHARGE', 'PAYMENT');
/** Some days are in the open statement period, some before or after it. */
const day = one('2026-03-05', '2026-03-05', '2026-03-05', '2025-11-05', '2019-05-01', FUTURE);
const transaction = fc.record({ transaction_id: id, transaction_date: day, type, pence });
const closed = fc.record({
  ...{ transaction_id: one('H1', 'H2', 'H3'), transaction_date: one('2019-05-01', '2025-10-31'), type, pence },
});
const statement = fc.record({ statement_id: id, pence: one(8420, 8420, -5) });
const reference = one(...REFERENCES, ...REFERENCES, ...REFERENCES, UNKNOWN_REFERENCE);

const history: fc.Arbitrary<History> = fc.record({
  notes: carriedNotes,
  transactions: listOf(transaction, 'transaction_id', 0),
  closed: listOf(closed, 'transaction_id', 0),
  statements: listOf(statement, 'statement_id', 0),
  reference: fc.oneof(fc.constant(null), reference),
});
const payload: fc.Arbitrary<Payload> = fc.record({
  billingName: one(...BILLING_NAMES),
  billedTo: one('2025-10-31', '2025-10-31', '2026-01-31', null),
  history: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: history }),
});
const dryRun = one(false, false, false, false, true);

/** The calls and their relative frequency: like a supplier's, with some nonsense. */
const KINDS = [
  [6, fc.record({ kind: kind('stage'), payload })],
  [7, fc.record({ kind: kind('process'), dryRun: fc.constant(false), knownTeam: fc.constant(true) })],
  [2, fc.record({ kind: kind('process'), dryRun: fc.boolean(), knownTeam: fc.boolean() })],
  [1, fc.record({ kind: kind('skip', 'pause') })],
  [3, fc.record({ kind: kind('unskip', 'resume') })],
  [2, fc.record({ kind: kind('undo'), dryRun })],
  [4, fc.record({ kind: kind('notes'), sent: notes, dryRun })],
  [
    5,
    fc.record({
      ...{ kind: kind('transactions'), sent: listOf(transaction, 'transaction_id', 1), dryRun },
      ...{ checked: one(true, true, false), force: one(true, true, true, false) },
    }),
  ],
  [4, fc.record({ kind: kind('statements'), sent: listOf(statement, 'statement_id', 1), dryRun })],
  [3, fc.record({ kind: kind('instruction'), reference, dryRun })],
] as const;

/** Any call, mostly about one of four accounts; one in ten comes from the other organisation. */
function drawCall(): fc.Arbitrary<Call> {
  const on = fc
    .record({ owner: one(0, 0, 0, 1), tenth: fc.nat(9), account: one('A-1', 'A-1', 'A-2') })
    .map(({ owner, tenth, account }) => ({ owner, account, caller: tenth === 9 ? 1 - owner : owner }));
  const what = fc.oneof(
    ...KINDS.map(([weight, arbitrary]) => ({ weight, arbitrary: arbitrary as fc.Arbitrary<object> })),
  );
  return fc.tuple(on, what).map(([base, rest]) => ({ ...base, ...rest }) as Call);
}

const FIRST = { owner: 0, caller: 0, account: 'A-1' } as const;

/** Two sequences in three begin with an account staged or imported, to get further. */
function drawBeginning(): fc.Arbitrary<Call[]> {
  return fc.record({ payload, length: fc.nat(2) }).map(({ payload: staged, length }) =>
    [
      { ...FIRST, kind: 'stage' as const, payload: staged },
      { ...FIRST, kind: 'process' as const, dryRun: false, knownTeam: true },
    ].slice(0, length),
  );
}

export function drawSequence(): fc.Arbitrary<Call[]> {
  const rest = fc.array(drawCall(), { maxLength: MAX_CALLS, size: 'max' });
  return fc.tuple(drawBeginning(), rest).map(([first, then]) => [...first, ...then]);
}
