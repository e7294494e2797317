import { Problem, StoredAccount } from '@causeway/contracts';
import { penceOf, sampleBook, sumOf } from '@causeway/realistic-books';
import { describe, expect, it } from 'vitest';
import { neverSent, type Outcome } from '../src/outcome.ts';
import type { HeldBook } from '../src/read-held-book.ts';
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

/** What a service holds with which exactly the sound accounts arrived, in this run or before. */
function heldBook(when: 'now' | 'before'): HeldBook {
  const sound = book.filter(({ expectedRefusal }) => !expectedRefusal);
  const held = (amounts: (number | string)[]) => ({
    rows: amounts.length,
    added: when === 'now' ? amounts.length : 0,
    pence: sumOf(amounts.map((amount) => penceOf(String(amount)))),
  });
  const transactions = sound.flatMap((account) => account.transactions);
  return {
    accounts: held(sound.map(({ transferBalance }) => transferBalance)),
    notes: held(sound.flatMap(({ notes }) => notes.map(() => 0))),
    transactions: held(transactions.map(({ amount }) => amount)),
    penceByType: new Map(
      Object.entries(Object.groupBy(transactions, ({ type }) => type)).map(([type, ofType]) => {
        return [type, held(ofType.map(({ amount }) => amount)).pence];
      }),
    ),
    statements: held(sound.flatMap(({ statements }) => statements.map(({ gross_amount }) => gross_amount ?? 0))),
    paymentInstructions: held(sound.flatMap(({ paymentInstruction }) => (paymentInstruction ? [0] : []))),
    carried: 3,
    example: undefined,
    openProblems: [],
    problems: [],
  };
}

describe('the summary of the demo', () => {
  it('18.2 adds up after a first run', () => {
    const tally = tallyOf(outcomesOf('added'), heldBook('now'));
    expect(tally.problems).toEqual([]);
    expect(tally.counts[0]).toEqual({ label: 'Accounts', inBook: 12, refused: 3, stored: 9, added: 9 });
    for (const { inBook, refused, stored } of tally.counts) expect(inBook).toBe(refused + stored);
    for (const { sent, stored } of tally.money) expect(sent).toBe(stored);
    expect(summaryLines(tally, screen).join('\n')).toContain('It adds up');
  });

  it('18.3 says after a second run that everything was there', () => {
    const tally = tallyOf(outcomesOf('existing'), heldBook('before'));
    expect(tally.problems).toEqual([]);
    expect(tally.counts.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0]);
    expect(summaryLines(tally, screen).join('\n')).toContain('9 accounts were already imported: everything was');
  });

  it('18.2 counts refusals by their code', () => {
    const { refusals } = tallyOf(outcomesOf('added'), heldBook('now'));
    expect(refusals).toContainEqual({ label: 'accounts', code: 'invalid_phone_number', times: 1 });
  });

  it('18.2 reports a penny that is missing', () => {
    const { accounts, ...rest } = heldBook('now');
    const short = { ...rest, accounts: { ...accounts, pence: accounts.pence - 1 } };
    const tally = tallyOf(outcomesOf('added'), short);
    expect(tally.problems).toEqual(['Balances carried over: money stored is not the money sent']);
    expect(summaryLines(tally, screen).join('\n')).toContain('This should not have happened');
  });

  it('18.2 shows the account that it has as an example, with the figures of its database', () => {
    const example = StoredAccount.meta()?.examples?.[0] as StoredAccount;
    const lines = summaryLines(tallyOf(outcomesOf('added'), { ...heldBook('now'), example }), screen);
    const at = lines.findIndex((line) => line.includes(`${example.external_account_number} as stored (`));
    expect(lines[at]).toContain('electricity');
    expect(lines[at + 1]).toContain(`${example.service_account_number}, balance -£48.20, `);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  it('18.2 lists three kinds of problem, and says where the others are', () => {
    const problem = Problem.meta()?.examples?.[0] as Problem;
    const openProblems = Array.from({ length: 8 }, () => problem);
    const lines = summaryLines(tallyOf(outcomesOf('added'), { ...heldBook('now'), openProblems }), screen);
    expect(lines.filter((line) => line.includes('transactions.*.transaction_date'))).toHaveLength(3);
    expect(lines.join('\n')).toContain('Still to fix (8 kinds of problem: GET /v1/data-import/problems/');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  it('18.2 reports a note that was stored twice', () => {
    const held = heldBook('before');
    const doubled = { ...held, notes: { ...held.notes, rows: held.notes.rows + 1, added: 1 } };
    const { problems } = tallyOf(outcomesOf('existing'), doubled);
    expect(problems).toHaveLength(2);
    expect(problems.join()).toContain('Notes: 0 added say the answers, 1 says the audit trail');
  });

  it('18.2 reports what should not have been answered, ten lines of it at most', () => {
    const outcomes = outcomesOf('added').map((outcome, position) => ({ ...outcome, problem: `problem ${position}` }));
    const tally = tallyOf(outcomes, heldBook('now'));
    expect(tally.problems).toHaveLength(12);
    expect(summaryLines(tally, screen).filter((line) => line.includes('✗'))).toHaveLength(10);
    expect(summaryLines(tally, screen).at(-1)).toContain('and 2 more');
  });
});
