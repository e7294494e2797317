import { newAccount } from '@causeway/domain';
import { balanceFaultsOfAccount, checkAccount, checkHistory, checkStatements } from '@causeway/rules';
import type { SupplierProcedureOptions } from '../check-input.ts';
import { refusedBalance } from '../refused-balance.ts';

/** What validate and stage check of an account and its history beside the schema (behaviour 2.10, 4.17). */
export const ACCOUNT_CHECKS = {
  failureCode: 'account_failed_validation',
  keeps: true,
  rules: (input, options) => [
    ...checkAccount(input, options),
    ...checkHistory(input, options),
    ...checkStatements(input, options),
    ...refusedBalance(options, () => balanceFaultsOfAccount(input)),
  ],
  names: newAccount,
} satisfies SupplierProcedureOptions;
