import type { LineRefusal } from './checked-line.ts';

/** Why a line without an account is refused where accounts are only staged: its history would be added at once. */
export function noHistoryToStage(): LineRefusal {
  const detail = 'A STAGE job only stages accounts: add history to accounts that exist with a MOVE job.';
  return {
    step: 'validate',
    code: 'account_failed_validation',
    detail: 'The payload failed validation: account.',
    errors: [{ detail, code: 'required', attr: 'account' }],
  };
}
