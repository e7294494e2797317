import type { LineClaims } from '@causeway/book';
import { type DifferenceKind, TransactionType } from '@causeway/contracts';
import type { SampleAccount } from '@causeway/realistic-books';
import { decimalOf, penceOf } from '@causeway/realistic-books';
import { expectedLineOf } from '../bulk/expected-line.ts';
import { claimsOfAccount } from './claims.ts';

/** An account by its position in the book, and how it is moved. */
export interface Position {
  position: number;
  inBulk: boolean;
}

/** Of this account the manifest claims one penny more than the book has. */
const PENNY = 1;
/** This account is forgotten in the manifest. */
const FORGOTTEN = 2;

/** What the manifest claims of an account of the book; undefined for the one that it does not name. */
export function lodgedClaims(account: SampleAccount, { position }: Position): LineClaims | undefined {
  if (position === FORGOTTEN) return undefined;
  const claims = claimsOfAccount(account);
  if (position !== PENNY) return claims;
  return { ...claims, transfer_balance: decimalOf(penceOf(account.transferBalance) + 1) };
}

/** How an account will differ from the manifest, each difference as `differenceText` has it; empty if it will not. */
export function expectedDifferences(account: SampleAccount, at: Position): string[] {
  const lodged = lodgedClaims(account, at);
  const refused = refusedAs(account, at);
  if (lodged === undefined) return refused === undefined ? ['EXTRA'] : [];
  if (refused !== undefined) return [refused];
  const stored = new Map(figuresOf(storedClaims(account, at)));
  return figuresOf(lodged)
    .filter(([field, expected]) => stored.get(field) !== expected)
    .map(([field, expected]) => differenceText({ kind: 'DIFFERENT', field, expected, actual: stored.get(field) }));
}

/** A difference in one line; of figures with both values. */
export function differenceText({
  kind,
  field,
  expected,
  actual,
}: {
  kind: DifferenceKind;
  field: string;
  expected: string | null;
  actual: string | null | undefined;
}): string {
  return kind === 'DIFFERENT' ? `${field}: ${expected} in the manifest, ${actual} stored` : kind;
}

/** Why there is no such account; undefined if there is one. */
function refusedAs(account: SampleAccount, { inBulk }: Position): DifferenceKind | undefined {
  const { skipReason, expectedRefusal } = account;
  if (skipReason !== undefined) return 'SKIPPED';
  // An upload names one team for all, and refuses a line with its instruction.
  if (inBulk) return expectedLineOf(account).refusal === undefined ? undefined : 'MISSING';
  if (expectedRefusal === 'operations_team_name_does_not_exist') return 'NOT_CREATED';
  return expectedRefusal === undefined ? undefined : 'MISSING';
}

/** Calls create an account before its data, some of which is refused; an upload moves transactions that calls may not. */
function storedClaims(account: SampleAccount, { inBulk }: Position): LineClaims {
  return {
    ...claimsOfAccount(account),
    ...(account.expectedInstructionRefusal !== undefined && { payment_instruction: false }),
    ...(!(inBulk || account.mayMoveTransactions) && { transactions: 0, transactions_sum: '0.00', by_type: {} }),
  };
}

/** Each figure with its field. */
function figuresOf({ external_account_number, by_type = {}, ...figures }: LineClaims): [string, string][] {
  const byType = TransactionType.options.flatMap((type): [string, string][] => {
    const { count, amount } = by_type[type] ?? { count: 0, amount: '0.00' };
    return [
      [`by_type.${type}.count`, String(count)],
      [`by_type.${type}.amount`, amount],
    ];
  });
  return [...Object.entries(figures).map(([field, value]): [string, string] => [field, String(value)]), ...byType];
}
