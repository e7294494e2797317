import { checkAccount } from './check-account.ts';
import {
  type BalanceFault,
  balanceErrors,
  balanceFaultsOfAccount,
  balanceFaultsOfTransactions,
  type CheckBalanceOptions,
} from './check-balance.ts';
import { checkHistory } from './check-history.ts';
import type { RequestChecks } from './check-request.ts';
import { checkStatements } from './check-statements.ts';

/** What is checked of an account and its history beside its schema (behaviour 2.10, 4.17). */
export const ACCOUNT_CHECKS = {
  keeps: true,
  rules: (input, options) => [
    ...checkAccount(input, options),
    ...checkHistory(input, options),
    ...checkStatements(input, options),
    ...refusedBalance(options, () => balanceFaultsOfAccount(input)),
  ],
} satisfies RequestChecks;

/** Of the separate imports (behaviour 4.4 to 4.7). */
export const NOTES_CHECKS = { keeps: true } satisfies RequestChecks;
export const TRANSACTIONS_CHECKS = {
  keeps: true,
  rules: (input, options) => refusedBalance(options, () => balanceFaultsOfTransactions(input)),
} satisfies RequestChecks;
export const STATEMENTS_CHECKS = { keeps: true, rules: checkStatements } satisfies RequestChecks;
export const PAYMENT_INSTRUCTION_CHECKS = { keeps: true } satisfies RequestChecks;

/** The errors of amounts that do not add up, if the import supplier is configured to refuse them. */
function refusedBalance({ importSupplier }: CheckBalanceOptions, findFaults: () => BalanceFault[]) {
  return importSupplier.balance_check === 'REFUSE' ? balanceErrors(findFaults()) : [];
}
