import type { LineRefusal } from './checked-line.ts';

/** Why a line is refused whose account an earlier line of the same book names: lines are moved in no order. */
export function duplicateInFile(): LineRefusal {
  const code = 'duplicate_in_file';
  const detail = 'An earlier line of this book names the same account: send this one in another book, after it.';
  return { step: 'validate', code, detail, errors: [{ detail, code, attr: 'external_account_number' }] };
}
