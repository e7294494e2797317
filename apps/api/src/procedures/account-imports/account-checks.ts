import { newAccount } from '@causeway/domain';
import * as rules from '@causeway/rules';
import type { InputChecks } from '../check-input.ts';

/** How validate and stage check an account with its history (behaviour 2.10, 4.17). */
export const ACCOUNT_CHECKS = {
  ...rules.ACCOUNT_CHECKS,
  failureCode: 'account_failed_validation',
  names: newAccount,
} satisfies InputChecks;
