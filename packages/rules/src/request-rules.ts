import { type FieldError, LIMITS, sentHistory } from '@causeway/contracts';
import { checkAccount } from './check-account.ts';
import { balanceOfAccount, balanceOfTransactions } from './check-balance.ts';
import { checkInstruction, checkInstructionsOfAccount } from './check-instructions.ts';
import { checkMandates } from './check-mandates.ts';
import type { RequestChecks } from './check-request.ts';
import { checkStatements } from './check-statements.ts';
import { checkZeroAmounts } from './check-zero-amounts.ts';
import { movedDates } from './remarks/moved-dates.ts';
import { remarksOfAccount } from './remarks/remarks-of.ts';

/** What the rules of a history depend on besides the payload. */
interface CheckHistoryOptions {
  /** YYYY-MM-DD in the service's time zone. */
  today: string;
}

/**
 * The rule of the history that an account carries (behaviour 4.17) that depends on the time: closed history without
 * `last_billed_to_date` is not dated after today. The schema has the others. It checks the unvalidated payload and
 * skips values of the wrong type, and lists that the schema refuses for their length; it reports problems up to the
 * maximum.
 */
function checkHistory(payload: unknown, { today }: CheckHistoryOptions): FieldError[] {
  if (Object(payload).last_billed_to_date !== undefined) return [];
  const { path, items } = sentHistory(payload).historical_transactions;
  const errors = items.flatMap(({ transaction_date: day }, index) =>
    typeof day === 'string' && day > today ? [{ ...AFTER_TODAY, attr: `${path}.${index}.transaction_date` }] : [],
  );
  return errors.slice(0, LIMITS.reported_errors);
}

const AFTER_TODAY: Omit<FieldError, 'attr'> = {
  detail: 'Must not be after today: without last_billed_to_date, closed history ends today.',
  code: 'historical_transaction_not_billed',
};

/** What is checked of an account and its history beside its schema (behaviour 2.10, 4.17). */
export const ACCOUNT_CHECKS = {
  keeps: true,
  rules: (input, options) => [
    ...checkAccount(input, options),
    ...checkMandates(input, options),
    ...checkHistory(input, options),
    ...checkInstructionsOfAccount(input),
    ...checkStatements(input, options),
    ...checkZeroAmounts(input, options),
  ],
  remarks: (account, options) => {
    const remarks = remarksOfAccount(account, options);
    const { transactions, historical_transactions, ledgers } = Object(account);
    const hasMoney = (transactions ?? historical_transactions ?? ledgers) !== undefined;
    return hasMoney ? [...remarks, ...balanceOfAccount(account), ...movedDates(account, options.today)] : remarks;
  },
} satisfies RequestChecks;

/** Of the separate imports (behaviour 4.4 to 4.7). */
export const NOTES_CHECKS = { keeps: true } satisfies RequestChecks;
export const TRANSACTIONS_CHECKS = {
  keeps: true,
  rules: (input, options) => checkZeroAmounts({ transactions: Object(input).transactions }, options),
  remarks: balanceOfTransactions,
} satisfies RequestChecks;
export const STATEMENTS_CHECKS = { keeps: true, rules: checkStatements } satisfies RequestChecks;
export const PAYMENT_INSTRUCTION_CHECKS = { keeps: true, rules: checkInstruction } satisfies RequestChecks;
