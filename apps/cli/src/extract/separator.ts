import { Failure } from '../frame/failure.ts';
import { csvRows, separatorSaid } from './csv-rows.ts';
import { once } from './text-lines.ts';

/** What stands between the cells of a file. */
export interface FoundSeparator {
  separator: string;
  isSeparatorGuessed: boolean;
  /** What nobody said, in words; of a comma, which is what CSV says, nothing. */
  guesses: readonly string[];
}

const SEPARATORS = [',', ';', '\t', '|'];
const NAMES: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t', comma: ',', semicolon: ';', pipe: '|' };
const MAX_ROWS = 50;

/**
 * What stands between the cells: the flag's, or that of a line `sep=;`, or the one that makes most columns of the first
 * rows, as many in each, titles above them aside.
 *
 * @param head the beginning of the file
 * @throws Failure where the flag gives none
 */
export async function findSeparator(head: string, given: string | undefined): Promise<FoundSeparator> {
  if (given !== undefined) return { separator: separatorNamed(given), isSeparatorGuessed: false, guesses: [] };
  const said = separatorSaid(/^[^\r\n]*/.exec(head)?.[0] ?? '');
  if (said !== undefined) {
    return {
      separator: said,
      isSeparatorGuessed: true,
      guesses: [`cells separated by ${nameOf(said)} (its line sep= says so)`],
    };
  }
  const separator = await separatorOf(head);
  const guesses = separator === ',' ? [] : [`cells separated by ${nameOf(separator)}`];
  return { separator, isSeparatorGuessed: true, guesses };
}

interface Columns {
  separator: string;
  /** How many cells each of the first rows has. */
  widths: readonly number[];
}

/** A title above the header may have none of them, or another one: then the rows below it decide. */
async function separatorOf(head: string): Promise<string> {
  const all: Columns[] = [];
  for (const separator of SEPARATORS) {
    const widths: number[] = [];
    for await (const rows of csvRows(once(head), { separator, hasQuotes: true }))
      widths.push(...rows.map(({ cells }) => cells.length));
    all.push({ separator, widths: widths.slice(0, MAX_ROWS) });
  }
  let found: string | undefined;
  for (let from = 0; from < MAX_ROWS; from += 1) {
    const below = all.map(({ separator, widths }) => ({ separator, widths: widths.slice(from) }));
    const best = below.reduce((one, other) => (scoreOf(other) > scoreOf(one) ? other : one));
    if (scoreOf(best) === 0) continue;
    found ??= best.separator;
    if (!isWordOfTitle(best)) return best.separator;
  }
  return found ?? ',';
}

/** `Accounts, May 2026` above rows without a comma. */
const isWordOfTitle = ({ widths: [width, next] }: Columns) => width === 2 && next === 1;

/** The separators in the first row, less those of rows that have another number. */
function scoreOf({ widths }: Columns): number {
  const [width = 1] = widths;
  return width === 1 ? 0 : ((width - 1) * widths.filter((other) => other === width).length) / widths.length;
}

function separatorNamed(given: string): string {
  const separator = NAMES[given.toLowerCase()] ?? given;
  if (/^[^\p{L}\p{N}"\r\n]$/u.test(separator)) return separator;
  throw new Failure(
    'usage',
    `Unknown separator "${given}". Give tab, or the character itself: , ; | ^ or another one.`,
  );
}

const nameOf = (separator: string) => (separator === '\t' ? 'tab' : separator);
