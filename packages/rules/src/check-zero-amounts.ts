import { type FieldError, LIMITS, sentHistory } from '@causeway/contracts';
import { exact } from './exact-sum.ts';

/** What the rule of zero amounts depends on besides the request. */
export interface CheckZeroAmountsOptions {
  /** Absent: they are kept. */
  importSupplier: { zero_amounts?: 'KEEP' | 'OMIT' };
}

/** Whether an amount that was sent is zero, however it is spelled. */
export function isZeroAmount(amount: unknown): boolean {
  return amount === 0 || (typeof amount === 'string' && exact(amount) === 0n);
}

/**
 * The rule of transactions of zero (behaviour 2.5.10): a call that cannot leave them out refuses them, if the import supplier
 * leaves them out. It checks an account, or an unvalidated request of transactions, up to the reported maximum.
 */
export function checkZeroAmounts(request: unknown, { importSupplier }: CheckZeroAmountsOptions): FieldError[] {
  if (importSupplier.zero_amounts !== 'OMIT') return [];
  const { transactions, historical_transactions } = sentHistory(request);
  const errors = [historical_transactions, transactions].flatMap(({ path, items }) =>
    items.flatMap(({ amount }, index) => (isZeroAmount(amount) ? [{ ...ZERO, attr: `${path}.${index}.amount` }] : [])),
  );
  return errors.slice(0, LIMITS.reported_errors);
}

const ZERO: Omit<FieldError, 'attr'> = {
  detail:
    'Leave this transaction of zero out: this import supplier omits them. See “How to write a zero line” in the guide.',
  code: 'zero_amount',
};
