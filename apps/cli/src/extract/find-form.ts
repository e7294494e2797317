import { Failure } from '../frame/failure.ts';
import { refuseNoHeader } from './column-names.ts';
import { csvRows, hasQuotes } from './csv-rows.ts';
import { type FoundHeader, findHeader, headOfRows } from './find-header.ts';
import { findFixedWidthHeader } from './fixed-width-header.ts';
import { fixedWidthOf, fixedWidthRows, type WidthOfColumn } from './fixed-width-rows.ts';
import { jsonFormOf } from './json-rows.ts';
import { flagWith, Question } from './question.ts';
import { type RecordKind, seemsOfKinds } from './record-kinds.ts';
import { findSeparator } from './separator.ts';
import { once } from './text-lines.ts';

/** How a file is written. */
export type Form =
  | { type: 'csv'; separator: string; isSeparatorGuessed: boolean; hasQuotes: boolean; kind?: RecordKind }
  | { type: 'fixed-width'; columns: readonly WidthOfColumn[] }
  | { type: 'json'; items: 'array' | 'lines' }
  | { type: 'workbook'; sheet: string };

/** What the flags say of the form of a file. */
export interface FormFlags {
  separator: string | undefined;
  fixedWidth: readonly WidthOfColumn[] | undefined;
  headerLine: string | undefined;
  /** Of a file of fixed width: what the flag says of all files, and not of this one. */
  headerLineOfOthers?: string | undefined;
  /** `none`: a quote is a character like any other. */
  quotes: string | undefined;
  /** The first cell says the kind of each row; undefined: the command takes no such files. */
  recordKinds?: boolean | undefined;
  /** What stands before the value that answers a question: `--encoding accounts=`. */
  flagOf: (flag: string) => string;
}

/** How a file of text is written, its encoding aside. */
export interface FoundForm {
  form: Form;
  headerLine: number | undefined;
  /** What nobody said, in words. */
  guesses: readonly string[];
}

/**
 * The form of a file by its flags and the text with which it begins.
 *
 * @throws Failure where it has no rows; a Question where only a flag can say it
 */
export async function findForm(head: string, flags: FormFlags, name: string): Promise<FoundForm> {
  const { form, guesses } = await formOf(head, flags, name);
  const header = await headerOf(head, form, { ...flags, name });
  return { form, headerLine: header.line, guesses: [...guesses, ...header.guesses] };
}

async function headerOf(
  head: string,
  form: Form,
  { name, headerLine: given, headerLineOfOthers: others, flagOf, recordKinds }: FormFlags & { name: string },
): Promise<FoundHeader> {
  const flag = flagOf('header-line');
  if (form.type === 'csv' && recordKinds === true) return { line: undefined, guesses: [] };
  if (form.type === 'csv' && recordKinds === false && given === undefined) {
    const rows = (await Array.fromAsync(csvRows(once(head), { ...form, hasKinds: true }))).flat();
    // The last one may be cut.
    if (seemsOfKinds(rows.slice(0, -1))) throw isOfKinds(name, flagOf);
  }
  if (form.type === 'fixed-width')
    return findFixedWidthHeader(fixedWidthRows(once(head), form.columns), { given, others, flag });
  const rows = form.type === 'csv' ? await headOfRows(csvRows(once(head), form)) : [];
  const found = findHeader(rows, { name, given, flag });
  const header = rows.find(({ line, cells }) => (found.line === undefined ? !isBlank(cells) : line === found.line));
  if (header !== undefined) refuseNoHeader(header.cells, name);
  return found;
}

async function formOf(
  head: string,
  { fixedWidth, separator: given, quotes, flagOf }: FormFlags,
  name: string,
): Promise<{ form: Form; guesses: readonly string[] }> {
  if (fixedWidth !== undefined) return { form: { type: 'fixed-width', columns: fixedWidth }, guesses: [] };
  const items = jsonFormOf(head);
  if (items === undefined) {
    const { guesses, ...found } = await findSeparator(head, given);
    const length = given === undefined && !firstLineOf(head).includes(found.separator) ? fixedWidthOf(head) : undefined;
    if (length !== undefined) throw isOfFixedWidth(name, length, flagOf('fixed-width'));
    return { form: { type: 'csv', ...found, hasQuotes: hasQuotes(quotes) }, guesses };
  }
  if (/^\s*\{[ \t]*[\r\n]/.test(head)) throw isOneDocument(name);
  return { form: { type: 'json', items }, guesses: [] };
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

const firstLineOf = (text: string) => /^.*/.exec(text)?.[0] ?? '';

function isOfFixedWidth(name: string, length: number, flag: string): Question {
  const columns = flagWith(flag, `ACCOUNT:1-10,NAME:11-${length}`);
  return new Question(`${name} has one column, and its lines have ${length} characters each: is it of fixed width?`, {
    lines: [
      `  Name its columns: ${columns}`,
      '  If it has one column, give --separator with a character that it does not have.',
    ],
    flags: [columns],
  });
}

function isOfKinds(name: string, flagOf: FormFlags['flagOf']): Question {
  const flag = flagWith(flagOf('record-kinds').replace(/=$/, ''), '');
  const sentence = `In ${name} the number of cells goes with the first one: it seems to have several kinds of record, and no header.`;
  return new Question(sentence, {
    lines: [
      `  Give ${flag}: each kind becomes a table of its own.`,
      `  If its first row is a header, give ${flagWith(flagOf('header-line'), 'first')}`,
    ],
    flags: [flag],
  });
}

function isOneDocument(name: string): Failure {
  return new Failure('usage', `${name} is one JSON document: it has to be an array of objects, or an object a line.`, {
    lines: ["  jq makes it so: jq -c '.accounts[]' FILE > accounts.ndjson"],
  });
}
