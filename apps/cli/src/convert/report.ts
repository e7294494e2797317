import { wrapped } from '../terminal/lines.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { commandLines } from './command-line.ts';
import { nextLines } from './next-lines.ts';
import type { ConvertOptions } from './options.ts';
import type { Decision } from './questions.ts';
import type { RejectedFile } from './rejected-folder.ts';
import type { Store } from './store.ts';
import { type Remark, sentencesOf } from './suspicions.ts';
import type { WrittenBook } from './write-book.ts';
import { manifestName } from './write-manifest.ts';

/** What is wrong with some rows of a file, and the first of them. */
export interface FaultGroup {
  file: string;
  /** Undefined: nobody knows. */
  line: number | undefined;
  column: string | undefined;
  path: string | undefined;
  account: string | undefined;
  detail: string;
  value: string | undefined;
  near: string | undefined;
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
export function rejectedIn({ database }: Store, { rejected: accounts, rejectedRows: rows }: WrittenBook): Rejected {
  const one = (text: string) => Number((database.prepare(text).get() as { n: number }).n);
  const groups = database
    .prepare(`
      SELECT file, min(line) AS line, column_name, path, account, detail, shown, near, count(*) AS lines
      FROM "causeway faults" GROUP BY relation, file, column_name, detail ORDER BY relation, min(line), min(rowid) LIMIT ${MAX_SHOWN_FAULTS}
    `)
    .all() as unknown as Row[];
  return {
    accounts,
    rows,
    faults: groups.map(({ file, line, column_name, path, account, detail, shown, near, lines }) => ({
      file,
      line: line ?? undefined,
      column: column_name ?? undefined,
      path: path ?? undefined,
      account: account ?? undefined,
      detail,
      value: shown ?? undefined,
      near: near ?? undefined,
      rows: lines,
    })),
    others: Math.max(
      0,
      one('SELECT count(*) AS n FROM (SELECT 1 FROM "causeway faults" GROUP BY file, column_name, detail)') -
        MAX_SHOWN_FAULTS,
    ),
  };
}

interface Row {
  file: string;
  line: number | null;
  column_name: string | null;
  path: string | null;
  account: string | null;
  detail: string;
  shown: string | null;
  near: string | null;
  lines: number;
}

/** What is remarkable, though it is written, in lines that fit. */
export function linesOfRemark(remark: Remark, columns: number): string[] {
  const { file, line, column } = remark;
  const place = [`${file}${line === undefined ? '' : ` line ${line}`}`, `column ${column}`].join(', ');
  return wrapped(`${place}: ${sentencesOf(remark)}`, columns, '    ');
}

/** A fault with its place, in lines that fit. */
export function linesOfFault(fault: FaultGroup, columns: number): string[] {
  const { file, line, column, path, account, detail, value, near, rows } = fault;
  const place = [
    `${file}${line === undefined ? '' : ` line ${line}`}`,
    ...(column === undefined ? [] : [`column ${column}`]),
  ].join(', ');
  const more = [
    ...(value === undefined ? [] : [`Value: ${value}.`]),
    ...(path === undefined || path === column ? [] : [`Path: ${path}.`]),
    ...(account === undefined ? [] : [`Account ${account}.`]),
    ...(near === undefined ? [] : [`Nearly the same: ${near}.`]),
    ...(rows > 1 ? [`${grouped(rows - 1)} more ${rows === 2 ? 'row' : 'rows'} like it.`] : []),
  ];
  return [
    ...wrapped(`${place}: ${detail}`, columns, '    '),
    ...(more.length > 0 ? wrapped(`    ${more.join(' ')}`, columns, '    ') : []),
  ];
}

interface Closing {
  options: ConvertOptions;
  rejected: Rejected;
  folder: Folder | undefined;
  hasManifest: boolean;
  decisions: readonly Decision[];
}

/** What the run came to, and the next commands: none of them while rows without an account are not decided. */
export function closingLines(book: WrittenBook, closing: Closing): string[] {
  const { accounts, histories, rowsOfNoAccount } = book;
  const { options, rejected, folder, hasManifest } = closing;
  const written = [
    counted(accounts, 'account'),
    ...(histories > 0 ? [counted(histories, 'history', 'histories')] : []),
  ];
  const isEmpty = accounts + histories === 0;
  const lines = [isEmpty ? 'No account could be written.' : `${options.output}: ${written.join(' and ')} written.`];
  if (hasManifest && !isEmpty) lines.push(`${manifestName(options.output)}: the manifest of the mapping.`);
  if (folder !== undefined) {
    const notWritten =
      rejected.accounts === 0 ? [] : [`${counted(rejected.accounts, 'account')} not written, with all rows there.`];
    lines.push([`${folder.name}/: ${counted(rejected.rows, 'rejected row')}.`, ...notWritten].join(' '));
  }
  const isLeftOut = options.leaveOutUnmatched === true;
  if (isLeftOut && rowsOfNoAccount > 0) lines.push(`${rowsSaid(rowsOfNoAccount)}: left out, as you said.`);
  if (rejected.rows > rowsOfNoAccount) lines.push(...fixingLines(closing, isEmpty));
  if (!isLeftOut && rowsOfNoAccount > 0) {
    return [
      ...lines,
      `${rowsSaid(rowsOfNoAccount)}. Fix your files or, to continue without these rows, convert again:`,
      ...commandLines(options, { flags: ['--leave-out-unmatched', '--yes'] }),
    ];
  }
  return isEmpty ? lines : [...lines, ...nextLines(book, options)];
}

/** In one sentence of `convert` and `map check`. */
export const rowsSaid = (rows: number) =>
  `${counted(rows, 'row')} ${rows === 1 ? 'names' : 'name'} no account of these files`;

/** The rejected rows are CSV in UTF-8, whatever they were read from. */
const AS_WE_WRITE = { encoding: [], separator: [], fixedWidth: [], sheet: [], headerLine: [], quotes: [] };

/** By what the rejected rows come into a book: a folder is all that another run needs where it has their accounts. */
function fixingLines({ options, folder, decisions }: Closing, isEmpty: boolean): string[] {
  const { mapping, files: _files, leaveOutDamaged: _damaged, onlySupplier: _only, ...asKinds } = options;
  const sources = mapping === undefined ? 'your files' : `your files or ${mapping}`;
  if (isEmpty) return [`Give the flags named above, or fix ${sources}, and convert them again with --yes.`];
  const files = folder?.filesOf ?? (() => []);
  if (files('accounts').length === 0 && options.historyOnly !== true) {
    return [
      `Some of its rows are of no account. Fix ${sources}, then convert them again:`,
      ...commandLines(options, { flags: ['--yes'] }),
    ];
  }
  const flags = decisions.map(({ flag }) => flag).filter((flag) => !isSaidIn(options, flag));
  const fixed = commandLines({ ...asKinds, ...AS_WE_WRITE }, { files, flags, output: mendedName(options.output) });
  if (mapping === undefined) return ['Fix them there, then:', ...fixed];
  return [
    `Its values are as the views of ${mapping} wrote them. Fix them there, then:`,
    ...fixed,
    `Or fix ${sources}, and convert all again with --yes.`,
  ];
}

const isSaidIn = ({ dateFormat = [] }: ConvertOptions, flag: string) =>
  dateFormat.some((said) => flag.endsWith(` ${said}`));

/** The folder of the rejected rows, as commands name it. */
export interface Folder {
  name: string;
  filesOf: (kind: RejectedFile['kind']) => readonly string[];
}

/** `book.ndjson.gz` is fixed as `book-mended.ndjson.gz`. */
function mendedName(output: string): string {
  return output.replace(/((?:\.ndjson)?(?:\.gz|\.zst)?)$/, '-mended$1');
}
