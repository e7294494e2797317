import { Failure } from '../frame/failure.ts';
import { csvRows, separatorSaid } from './csv-rows.ts';

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
 * rows, as many in each.
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
  let best = { separator: ',', score: 0 };
  for (const separator of SEPARATORS) {
    const score = await scoreOf(head, separator);
    if (score > best.score) best = { separator, score };
  }
  const { separator } = best;
  const guesses = separator === ',' ? [] : [`cells separated by ${nameOf(separator)}`];
  return { separator, isSeparatorGuessed: true, guesses };
}

/** The separators in a row of the header, less those of rows that have another number. */
async function scoreOf(head: string, separator: string): Promise<number> {
  const widths: number[] = [];
  for await (const rows of csvRows(piecesOf(head), separator)) widths.push(...rows.map(({ cells }) => cells.length));
  const first = widths.slice(0, MAX_ROWS);
  const [width = 1] = first;
  return ((width - 1) * first.filter((other) => other === width).length) / first.length;
}

async function* piecesOf(head: string): AsyncGenerator<string> {
  yield head;
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
