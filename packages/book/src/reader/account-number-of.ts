import { LIMITS } from '@causeway/contracts';
import { isParsedFast } from '@causeway/rules';
import { bareLine } from './failed-row.ts';
import { parseLine } from './parse-line.ts';

/** From here on the strict reader takes long enough for callers to notice. */
const LONG_LINE_BYTES = 65_536;

/** The account number that a line names, if it can be read: nothing else of the line is checked. */
export function accountNumberOf(line: Buffer, maxLineBytes: number): string | undefined {
  if (line.length > LONG_LINE_BYTES && !isJson(bareLine(line).toString())) return undefined;
  const parsed = parseLine(line, maxLineBytes);
  return 'object' in parsed ? accountNumberIn(parsed.object) : undefined;
}

/** The same of a line that was parsed. A number that no account can have is none. */
export function accountNumberIn({ account, external_account_number }: Record<string, unknown>): string | undefined {
  const number = account === undefined ? external_account_number : Object(account).external_account_number;
  const isNumber = typeof number === 'string' && number !== '' && number.length <= LIMITS.external_account_number;
  return isNumber ? number : undefined;
}

/** Ends at the first character that is wrong; the strict reader scans all of them, for a second in 10 MB. */
function isJson(line: string): boolean {
  if (!isParsedFast(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
