import { describe, expect, it } from 'vitest';
import { sampleBook } from '../src/book/sample-book.ts';
import { penceOf, sumOf } from '../src/money.ts';
import { neverSent, type Outcome } from '../src/outcome.ts';
import type { StoredBook } from '../src/read-stored-book.ts';
import type { Screen } from '../src/screen.ts';
import { summaryLines } from '../src/summary.ts';
import { tallyOf } from '../src/tally.ts';

const book = sampleBook({ seed: 's', importSupplier: 'HV', teamName: 'T', accounts: 12, bookDate: '2026-03-17' });
const screen: Screen = { write: () => undefined, isTerminal: false, paint: (_, text) => text };

function outcomesOf(fate: 'added' | 'existing'): Outcome[] {
  return book.map((account, position): Outcome => {
    const { expectedRefusal, notes, transactions, statements, paymentInstruction } = account;
    if (expectedRefusal) {
      return { account, fate: 'refused', refusal: expectedRefusal, ...neverSent(account) };
    }
    const added = (count: number) => (fate === 'added' ? count : 0);
    return {
      account,
      fate,
      serviceAccountNumber: `A-${position}`,
      notes: { stored: notes.length, added: added(notes.length), refused: 0 },
      transactions: { stored: transactions.length, added: added(transactions.length), refused: 0 },
      movedTransactions: 0,
      statements: { stored: statements.length, refused: 0 },
      paymentInstruction: { stored: paymentInstruction ? 1 : 0, refused: 0 },
    };
  });
}

/** What a database holds in which exactly the sound accounts arrived. */
function storedBook(): StoredBook {
  const sound = book.filter(({ expectedRefusal }) => !expectedRefusal);
  const stored = (amounts: (number | string)[]) => ({
    rows: amounts.length,
    pence: sumOf(amounts.map((amount) => penceOf(String(amount)))),
  });
  const transactions = sound.flatMap((account) => account.transactions);
  return {
    accounts: stored(sound.map(({ transferBalance }) => transferBalance)),
    notes: stored(sound.flatMap(({ notes }) => notes.map(() => 0))),
    transactions: stored(transactions.map(({ amount }) => amount)),
    transactionsByType: new Map(
      Object.entries(Object.groupBy(transactions, ({ type }) => type)).map(([type, ofType]) => {
        return [type, stored(ofType.map(({ amount }) => amount))];
      }),
    ),
    statements: stored(sound.flatMap(({ statements }) => statements.map(({ gross_amount }) => gross_amount))),
    paymentInstructions: stored(sound.flatMap(({ paymentInstruction }) => (paymentInstruction ? [0] : []))),
  };
}

const none = { rows: 0, pence: 0 };
const EMPTY: StoredBook = {
  accounts: none,
  notes: none,
  transactions: none,
  transactionsByType: new Map(),
  statements: none,
  paymentInstructions: none,
};

describe('the summary of the demo', () => {
  it('design 6 adds up after a first run', () => {
    const tally = tallyOf(outcomesOf('added'), EMPTY, storedBook());
    expect(tally.problems).toEqual([]);
    expect(tally.counts[0]).toEqual({ label: 'Accounts', inBook: 12, refused: 3, stored: 9, added: 9 });
    for (const { inBook, refused, stored } of tally.counts) expect(inBook).toBe(refused + stored);
    for (const { sent, stored } of tally.money) expect(sent).toBe(stored);
    expect(summaryLines(tally, screen).join('\n')).toContain('It adds up');
  });

  it('design 6 says after a second run that everything was there', () => {
    const tally = tallyOf(outcomesOf('existing'), storedBook(), storedBook());
    expect(tally.problems).toEqual([]);
    expect(tally.counts.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0]);
    expect(summaryLines(tally, screen).join('\n')).toContain('9 accounts were already imported: everything was');
  });

  it('design 6 counts refusals by their code', () => {
    const { refusals } = tallyOf(outcomesOf('added'), EMPTY, storedBook());
    expect(refusals).toContainEqual({ label: 'accounts', code: 'invalid_phone_number', times: 1 });
  });

  it('design 6 reports a penny that is missing', () => {
    const { accounts, ...rest } = storedBook();
    const short = { ...rest, accounts: { ...accounts, pence: accounts.pence - 1 } };
    const tally = tallyOf(outcomesOf('added'), EMPTY, short);
    expect(tally.problems).toEqual(['Balances carried over: money stored is not the money sent']);
    expect(summaryLines(tally, screen).join('\n')).toContain('This should not have happened');
  });

  it('design 6 reports a note that was stored twice', () => {
    const stored = storedBook();
    const doubled = { ...stored, notes: { ...stored.notes, rows: stored.notes.rows + 1 } };
    const { problems } = tallyOf(outcomesOf('existing'), stored, doubled);
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain('Notes: 0 added say the answers, 1 says the database');
  });

  it('design 6 reports what should not have been answered, ten lines of it at most', () => {
    const outcomes = outcomesOf('added').map((outcome, position) => ({ ...outcome, problem: `problem ${position}` }));
    const tally = tallyOf(outcomes, EMPTY, storedBook());
    expect(tally.problems).toHaveLength(12);
    expect(summaryLines(tally, screen).filter((line) => line.includes('✗'))).toHaveLength(10);
    expect(summaryLines(tally, screen).at(-1)).toContain('and 2 more');
  });
});
