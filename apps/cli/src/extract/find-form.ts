import { Failure } from '../frame/failure.ts';
import { csvRows, hasQuotes } from './csv-rows.ts';
import { type FoundHeader, findHeader, headOfRows } from './find-header.ts';
import { findFixedWidthHeader } from './fixed-width-header.ts';
import { fixedWidthOf, fixedWidthRows, type WidthOfColumn } from './fixed-width-rows.ts';
import { jsonFormOf } from './json-rows.ts';
import { flagWith, Question } from './question.ts';
import { findSeparator } from './separator.ts';
import { once } from './text-lines.ts';

/** How a file is written. */
export type Form =
  | { type: 'csv'; separator: string; isSeparatorGuessed: boolean; hasQuotes: boolean }
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
  { name, headerLine: given, headerLineOfOthers: others, flagOf }: FormFlags & { name: string },
): Promise<FoundHeader> {
  const flag = flagOf('header-line');
  if (form.type === 'fixed-width')
    return findFixedWidthHeader(fixedWidthRows(once(head), form.columns), { given, others, flag });
  return findHeader(form.type === 'csv' ? await headOfRows(csvRows(once(head), form)) : [], { name, given, flag });
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

function isOneDocument(name: string): Failure {
  return new Failure('usage', `${name} is one JSON document: it has to be an array of objects, or an object a line.`, {
    lines: ["  jq makes it so: jq -c '.accounts[]' FILE > accounts.ndjson"],
  });
}
