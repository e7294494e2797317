import { type FieldError, LIMITS } from '@causeway/contracts';
import { afterEach, expect, test, vi } from 'vitest';
import { accountNumberIn, faultsOfIdentifiers, referenceIn, statementIdsIn, transactionIdsIn } from '../src/index.ts';

const marks = (count: number) => `a${'\u0301'.repeat(count)}${'\u0323'.repeat(count)}`;

const faultsOf: Record<string, (identifier: string) => FieldError[]> = {
  external_account_number: (text) => faultsOfIdentifiers(accountNumberIn({ external_account_number: text })),
  reference: (text) => faultsOfIdentifiers(referenceIn({ reference: text })),
  statement_id: (text) => faultsOfIdentifiers(statementIdsIn({ statements: [{ statement_id: text }] })),
  transaction_id: (text) => faultsOfIdentifiers(transactionIdsIn({ transactions: [{ transaction_id: text }] })),
};

afterEach(() => vi.restoreAllMocks());

test.each(Object.entries(faultsOf))(
  '2.1 %s: one that is too long is not normalised, and left to its schema',
  (_name, faults) => {
    const normalise = vi.spyOn(String.prototype, 'normalize');
    expect(faults(marks(16_000))).toEqual([]);
    expect(faults('é'.repeat(1_000_000))).toEqual([]);
    expect(normalise).not.toHaveBeenCalled();
  },
);

test.each(Object.entries(faultsOf))(
  '2.1 %s: one of more than 30 combining marks in a row is refused and not normalised',
  (_name, faults) => {
    const normalise = vi.spyOn(String.prototype, 'normalize');
    expect(faults(marks(60)).map(({ code }) => code)).toEqual(['invalid_characters']);
    expect(normalise).not.toHaveBeenCalled();
  },
);

test('2.1 as many identifiers as a request may have are judged without normalising one of them', () => {
  const normalise = vi.spyOn(String.prototype, 'normalize');
  const transactions = Array(LIMITS.transactions).fill({ transaction_id: marks(127) });
  expect(faultsOfIdentifiers(transactionIdsIn({ transactions }))).toHaveLength(LIMITS.reported_errors);
  expect(normalise).not.toHaveBeenCalled();
});
