import { debtFields } from './debt.ts';

/**
 * The fields that tell of need or debt (behaviour 2.10.23). That an account has one is as personal as what is in it:
 * they appear in no list, log, metric or problem.
 */
export const FIELDS_OF_SPECIAL_WEIGHT: ReadonlySet<string> = new Set([
  ...Object.keys(debtFields),
  ...['psr', 'is_user_psr_consent_obtained', 'psr_password', 'prepay_details'],
]);
