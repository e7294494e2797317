import { LIMITS } from '@causeway/contracts';
import { isFields } from './line-fields.ts';
import { parseLine } from './parse-line.ts';

/** The account number that a line names, if it can be read: nothing else of the line is checked. */
export function accountNumberOf(line: Buffer, maxLineBytes: number): string | undefined {
  const parsed = parseLine(line, maxLineBytes);
  return 'object' in parsed ? accountNumberIn(parsed.object) : undefined;
}

/**
 * The same of a line that was parsed: the number of its account or, if it has none, its own. A number that no account can
 * have is none.
 */
export function accountNumberIn({ account, external_account_number }: Record<string, unknown>): string | undefined {
  const hasAccount = isFields(account) && Object.keys(account).length > 0;
  const number = hasAccount ? (account.external_account_number ?? external_account_number) : external_account_number;
  const isNumber = typeof number === 'string' && number !== '' && number.length <= LIMITS.external_account_number;
  return isNumber ? number : undefined;
}
