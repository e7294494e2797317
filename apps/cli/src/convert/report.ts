import { quoted, wrapped } from '../terminal/lines.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { commandLines } from './command-line.ts';
import type { LoadedFile } from './load-file.ts';
import type { ConvertOptions } from './options.ts';
import { nameOfSeparator } from './separator.ts';
import type { Store } from './store.ts';
import type { WrittenBook } from './write-book.ts';
import type { RejectedFile } from './write-rejected.ts';

/** What is wrong with some rows of a file, and the first of them. */
export interface FaultGroup {
  file: string;
  line: number;
  column: string | undefined;
  path: string | undefined;
  account: string | undefined;
  detail: string;
  value: string | undefined;
  /** How many rows have it. */
  rows: number;
}

/** What was rejected. */
export interface Rejected {
  accounts: number;
  rows: number;
  /** The first ones by file and line; at most 20. */
  faults: FaultGroup[];
  /** How many further groups there are. */
  others: number;
}

const MAX_SHOWN_FAULTS = 20;

/** Adds up the faults in the store. */
export function rejectedIn({ database }: Store, files: readonly LoadedFile[]): Rejected {
  const one = (text: string) => Number((database.prepare(text).get() as { n: number }).n);
  const groups = database
    .prepare(`
      SELECT file, min(line) AS line, column_name, path, account, detail, shown, count(DISTINCT line) AS lines
      FROM faults GROUP BY file, column_name, detail ORDER BY file, line LIMIT ${MAX_SHOWN_FAULTS}
    `)
    .all() as unknown as Row[];
  return {
    accounts: one('SELECT count(*) AS n FROM rejected'),
    rows: one('SELECT count(*) AS n FROM (SELECT DISTINCT file, line FROM faults)'),
    faults: groups.map(({ file, line, column_name, path, account, detail, shown, lines }) => ({
      file: files[file]?.name ?? '',
      line,
      column: column_name ?? undefined,
      path: path ?? undefined,
      account: account ?? undefined,
      detail,
      value: shown ?? undefined,
      rows: lines,
    })),
    others: Math.max(
      0,
      one('SELECT count(*) AS n FROM (SELECT 1 FROM faults GROUP BY file, column_name, detail)') - MAX_SHOWN_FAULTS,
    ),
  };
}

interface Row {
  file: number;
  line: number;
  column_name: string | null;
  path: string | null;
  account: string | null;
  detail: string;
  shown: string | null;
  lines: number;
}

/** One line a file: how many rows, and what was guessed of it. */
export function sentenceOfFile({
  name,
  rows,
  encoding,
  isEncodingGuessed,
  separator,
  isSeparatorGuessed,
  guessedDateFormat,
}: LoadedFile): string {
  const isPlain = encoding === 'utf-8' && separator === ',';
  const guesses = [
    ...(isEncodingGuessed && !isPlain ? [encoding] : []),
    ...(isSeparatorGuessed && !isPlain ? [`cells separated by ${nameOfSeparator(separator)}`] : []),
    ...(guessedDateFormat === undefined ? [] : [`dates ${guessedDateFormat}`]),
  ];
  return `${name}: ${counted(rows, 'row')}${guesses.length === 0 ? '' : `. Guessed: ${guesses.join(', ')}`}`;
}

/** A fault with its place, in lines that fit. */
export function linesOfFault(fault: FaultGroup, columns: number): string[] {
  const { file, line, column, path, account, detail, value, rows } = fault;
  const place = [`${file} line ${line}`, ...(column === undefined ? [] : [`column ${column}`])].join(', ');
  const more = [
    ...(value === undefined ? [] : [`Value: ${value}.`]),
    ...(path === undefined || path === column ? [] : [`Path: ${path}.`]),
    ...(account === undefined ? [] : [`Account ${account}.`]),
    ...(rows > 1 ? [`${grouped(rows - 1)} more ${rows === 2 ? 'row' : 'rows'} like it.`] : []),
  ];
  return [
    ...wrapped(`${place}: ${detail}`, columns, '    '),
    ...(more.length > 0 ? wrapped(`    ${more.join(' ')}`, columns, '    ') : []),
  ];
}

/** What the run came to, and the next commands. */
export function closingLines(
  { accounts, histories }: WrittenBook,
  {
    options,
    supplier,
    rejected,
    folder,
  }: { options: ConvertOptions; supplier: string | undefined; rejected: Rejected; folder: Folder | undefined },
): string[] {
  const written = [
    counted(accounts, 'account'),
    ...(histories > 0 ? [counted(histories, 'history', 'histories')] : []),
  ];
  const isEmpty = accounts + histories === 0;
  const lines = [isEmpty ? 'No account could be written.' : `${options.output}: ${written.join(' and ')} written.`];
  if (folder !== undefined) {
    lines.push(
      `${folder.name}/: ${counted(rejected.rows, 'rejected row')}. ${counted(rejected.accounts, 'account')} not written, with all rows there.`,
    );
    if (isEmpty) lines.push('Give the flags named above, or fix your files, and convert them again with --yes.');
    else lines.push('Fix them there, then:', ...fixingLines(options, folder));
  }
  if (!isEmpty) {
    lines.push('Next:', `  causeway validate ${quoted(options.output)} --like-supplier ${quoted(supplier ?? 'CODE')}`);
  }
  return lines;
}

function fixingLines(options: ConvertOptions, { filesOf: files }: Folder): string[] {
  return commandLines({ ...options, encoding: [] }, { files, output: mendedName(options.output) });
}

/** The folder of the rejected rows, as commands name it. */
export interface Folder {
  name: string;
  filesOf: (kind: RejectedFile['kind']) => readonly string[];
}

/** `book.ndjson.gz` is fixed as `book-mended.ndjson.gz`. */
function mendedName(output: string): string {
  return output.replace(/((?:\.ndjson)?(?:\.gz|\.zst)?)$/, '-mended$1');
}
