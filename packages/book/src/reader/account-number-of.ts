import { LIMITS } from '@causeway/contracts';
import { isParsedFast } from '@causeway/rules';
import { bareLine } from './failed-row.ts';
import { parseLine } from './parse-line.ts';

/** From here on the strict reader takes long enough for callers to notice. */
const LONG_LINE_BYTES = 65_536;
const NAME = '"external_account_number"';

/** The account number that a line names, if it can be read: nothing else of the line is checked. */
export function accountNumberOf(line: Buffer, maxLineBytes: number): string | undefined {
  if (line.length > LONG_LINE_BYTES) {
    const text = bareLine(line).toString();
    if (!isParsedFast(text)) return undefined;
    if (!mayBeAmbiguous(text)) return numberIn(text);
  }
  const parsed = parseLine(line, maxLineBytes);
  return 'object' in parsed ? accountNumberIn(parsed.object) : undefined;
}

/** The same of a line that was parsed. A number that no account can have is none. */
export function accountNumberIn({ account, external_account_number }: Record<string, unknown>): string | undefined {
  const number = account === undefined ? external_account_number : Object(account).external_account_number;
  const isNumber = typeof number === 'string' && number !== '' && number.length <= LIMITS.external_account_number;
  return isNumber ? number : undefined;
}

/** A name that is there twice, or spelled with an escape: only the strict reader knows which one counts. */
function mayBeAmbiguous(text: string): boolean {
  return text.indexOf(NAME) !== text.lastIndexOf(NAME) || text.includes('\\u');
}

/** Parsed once, and not strictly, which takes a fraction of the time. It ends at the first character that is wrong. */
function numberIn(text: string): string | undefined {
  try {
    return accountNumberIn(Object(JSON.parse(text)));
  } catch {
    return undefined;
  }
}
