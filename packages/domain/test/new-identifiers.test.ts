import { LIMITS } from '@causeway/contracts';
import { afterEach, expect, test, vi } from 'vitest';
import type { Context } from '../src/shared/context.ts';
import { newAccountNumber, newReference, newStatementIds, newTransactionIds } from '../src/shared/new-identifiers.ts';

/** Nothing is stored, and no account is named: there is nothing to ask a database. */
const CONTEXT = {} as Context;
const marks = (count: number) => `a${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;

const faultsOf: Record<string, (identifier: string) => ReturnType<typeof newReference>> = {
  external_account_number: (text) => newAccountNumber(CONTEXT, { external_account_number: text }),
  reference: (text) => newReference(CONTEXT, { reference: text }),
  statement_id: (text) => newStatementIds(CONTEXT, { statements: [{ statement_id: text }] }),
  transaction_id: (text) => newTransactionIds(CONTEXT, { transactions: [{ transaction_id: text }] }),
};

afterEach(() => vi.restoreAllMocks());

test.each(Object.entries(faultsOf))(
  '2.1 %s: one that is too long is not normalised, and left to its schema',
  async (_name, faults) => {
    const normalise = vi.spyOn(String.prototype, 'normalize');
    expect(await faults(marks(16_000))).toEqual([]);
    expect(await faults('é'.repeat(1_000_000))).toEqual([]);
    expect(normalise).not.toHaveBeenCalled();
  },
);

test.each(Object.entries(faultsOf))(
  '2.1 %s: one of more than 30 combining marks in a row is refused and not normalised',
  async (_name, faults) => {
    const normalise = vi.spyOn(String.prototype, 'normalize');
    expect((await faults(marks(60))).map(({ code }) => code)).toEqual(['invalid_characters']);
    expect(normalise).not.toHaveBeenCalled();
  },
);

test('2.1 as many identifiers as a request may have are judged without normalising one of them', async () => {
  const normalise = vi.spyOn(String.prototype, 'normalize');
  const transactions = Array(LIMITS.transactions).fill({ transaction_id: marks(127) });
  expect(await newTransactionIds(CONTEXT, { transactions })).toHaveLength(LIMITS.reported_errors);
  expect(normalise).not.toHaveBeenCalled();
});
