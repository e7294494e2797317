import { type ManifestLine, type ManifestTotals, moneyText, type TransactionType } from '@causeway/contracts';
import { exact, exactText } from '@causeway/rules';

/** The figures of a line, each in one spelling; what is absent is not claimed. */
export interface LineClaims {
  external_account_number: string;
  transfer_balance?: string | undefined;
  notes?: number | undefined;
  transactions?: number | undefined;
  transactions_sum?: string | undefined;
  by_type?: TypeFigures | undefined;
  statements?: number | undefined;
  statements_gross?: string | undefined;
  payment_instruction?: boolean | undefined;
  fingerprint?: string | undefined;
}
export type TypeFigures = Partial<Record<TransactionType, { count: number; amount: string }>>;

/** A checked line with its figures in one spelling: money with two decimals, and no type that has nothing. */
export function claimsOf(line: ManifestLine): LineClaims {
  const { external_account_number, transfer_balance, transactions_sum, by_type, statements_gross } = line;
  const { notes, transactions, statements, payment_instruction, fingerprint } = line;
  return {
    external_account_number,
    transfer_balance: money(transfer_balance),
    notes,
    transactions,
    transactions_sum: money(transactions_sum),
    by_type: by_type && typesOf(by_type),
    statements,
    statements_gross: money(statements_gross),
    payment_instruction,
    fingerprint,
  };
}

/** Totals in one spelling. */
export function totalsInOneSpelling(totals: ManifestTotals): ManifestTotals {
  const { transfer_balance, transactions_sum, by_type, statements_gross, ...counts } = totals;
  const spelled: ManifestTotals = {
    ...counts,
    transfer_balance: money(transfer_balance),
    transactions_sum: money(transactions_sum),
    by_type: by_type && typesOf(by_type),
    statements_gross: money(statements_gross),
  };
  return Object.fromEntries(Object.entries(spelled).filter(([, value]) => value !== undefined)) as ManifestTotals;
}

const money = (amount: number | string | undefined) => (amount === undefined ? undefined : moneyText(amount));

const NOTHING = '0.00';

function typesOf(types: NonNullable<ManifestLine['by_type']>): TypeFigures {
  const spelled = Object.entries(types).map(([type, { count, amount }]) => [
    type,
    { count, amount: moneyText(amount) },
  ]);
  return Object.fromEntries(
    (spelled as [TransactionType, { count: number; amount: string }][]).filter(
      ([, { count, amount }]) => count > 0 || amount !== NOTHING,
    ),
  );
}

/** The sum of two amounts with two decimals. */
export function plus(sum: string, amount: string): string {
  return exactText((exact(sum) ?? 0n) + (exact(amount) ?? 0n));
}
