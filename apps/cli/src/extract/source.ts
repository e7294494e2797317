import { open } from 'node:fs/promises';
import { Failure } from '../frame/failure.ts';
import { csvRows } from './csv-rows.ts';
import { decoded, REPLACEMENT } from './encodings.ts';
import { bytesOf, isEmpty, type OpenedFile, openFile } from './file-bytes.ts';
import { assumedEncodings, type FoundEncoding, findEncoding } from './find-encoding.ts';
import { type Form, type FormFlags, type FoundForm, findForm } from './find-form.ts';
import { findHeader, headOfRows } from './find-header.ts';
import { fixedWidthRows } from './fixed-width-rows.ts';
import { jsonRows } from './json-rows.ts';
import { isZip, refuseOtherForms, refuseZipWithin } from './other-forms.ts';
import { checkEach } from './question.ts';
import { recordKindsIn, rowsOfKind } from './record-kinds.ts';
import { surveyBytes } from './survey-bytes.ts';
import { once } from './text-lines.ts';
import type { TextRow, TextRows } from './text-row.ts';
import { openWorkbook } from './workbook/open-workbook.ts';

/** A file, or a sheet of one, that can be read as rows of text. */
export interface Source extends OpenedFile {
  form: Form;
  /** Of a workbook with several sheets, or the kind of record of a file with several. */
  sheet: string | undefined;
  /** Several are tried line by line. */
  encodings: readonly string[];
  /** The line of the header, where those above it are no part of the table. */
  headerLine: number | undefined;
  /** What nobody said of how it is written, in words. */
  guesses: readonly string[];
  /** The first words that the given encoding has changed, as they are: `maskedWord` is their form. */
  changedWords: readonly string[];
  /** They may be shown as they are. */
  showsValues: boolean;
}

/** What the flags say of a file. */
export interface SourceFlags extends FormFlags {
  encoding: string | undefined;
  sheet: string | undefined;
  /** Words of a file may be shown as they are. */
  showsValues: boolean;
}

/**
 * Looks at a whole file once, to know how it is written. A workbook gives a source for each sheet that is not empty,
 * and a file with several kinds of record one for each of them.
 *
 * @throws Failure where it cannot be read, is nothing that has rows, or only a flag can say how it is written
 */
export async function openSources(at: Pick<OpenedFile, 'name' | 'path'>, flags: SourceFlags): Promise<Source[]> {
  const file = await openFile(at);
  const head = await headOf(file);
  refuseOtherForms(file.name, head);
  if (isZip(head)) return sheetsOf(file, flags);
  const source = await openText(file, flags);
  return flags.recordKinds === true ? kindsOf(source) : [source];
}

async function kindsOf(source: Source): Promise<Source[]> {
  const { form, name, encodings } = source;
  if (form.type !== 'csv')
    throw new Failure('usage', `${name} has no cells that separators end: --record-kinds needs them.`);
  const kinds = await recordKindsIn(csvRows(decoded(bytesOf(source), encodings), { ...form, hasKinds: true }), name);
  if (kinds.length === 0) throw isEmpty(name);
  return kinds.map((kind) => {
    const sheet = kind.name === '' ? 'empty' : kind.name;
    return { ...source, name: `${name} (${sheet})`, sheet, form: { ...form, kind } };
  });
}

/** The first bytes, each a character. */
async function headOf({ path }: OpenedFile): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

async function sheetsOf(file: OpenedFile, flags: SourceFlags): Promise<Source[]> {
  const workbook = await openWorkbook(file);
  const { sheet: given } = flags;
  if (given !== undefined && !workbook.sheets.includes(given)) {
    const lines = [`  Its sheets: ${workbook.sheets.join(', ')}`];
    throw new Failure('usage', `${file.name} has no sheet "${given}".`, { lines });
  }
  const sheets: { sheet: string; rows: readonly TextRow[] }[] = [];
  for (const sheet of given === undefined ? workbook.sheets : [given]) {
    const rows = await headOfRows(workbook.rows(sheet));
    if (rows.length > 0) sheets.push({ sheet, rows });
  }
  if (sheets.length === 0) throw isEmpty(file.name);
  return sheets.map(({ sheet, rows }) => {
    const name = sheets.length > 1 ? `${file.name} (${sheet})` : file.name;
    const { line, guesses } = findHeader(rows, { name, given: flags.headerLine, flag: flags.flagOf('header-line') });
    return {
      ...{ ...file, name, form: { type: 'workbook', sheet } as const },
      ...{ sheet: sheets.length > 1 ? sheet : undefined, encodings: ['utf-8'], headerLine: line },
      ...{ guesses, changedWords: [], showsValues: flags.showsValues },
    };
  });
}

async function openText(file: OpenedFile, flags: SourceFlags): Promise<Source> {
  const survey = await surveyBytes(bytesOf(file));
  const head = survey.head.toString('latin1');
  refuseOtherForms(file.name, head);
  refuseZipWithin(file.name, head);
  const { flagOf, showsValues, encoding: given } = flags;
  const look: { found: FoundEncoding; written?: FoundForm } = {
    found: { encodings: assumedEncodings(survey), changedWords: [] },
  };
  // What is asked of its form is asked with its encoding.
  await checkEach(
    [
      async () => {
        look.found = findEncoding({ name: file.name, given, flag: flagOf('encoding'), showsValues }, survey);
      },
      async () => {
        const text = (await Array.fromAsync(decoded(once(survey.head), look.found.encodings))).join('');
        look.written = await findForm(text, flags, file.name);
      },
    ],
    (step) => step(),
  );
  const { found, written } = look;
  if (written === undefined) throw new Error('A file is looked at or refused.');
  const { encodings, guess, changedWords } = found;
  const { form, headerLine } = written;
  const guesses = [...(guess === undefined ? [] : [guess]), ...written.guesses];
  return { ...file, form, sheet: undefined, encodings, headerLine, guesses, changedWords, showsValues };
}

/**
 * The rows of a source, the header first; nothing is interpreted. What cannot be read is a fault of its row.
 *
 * @param onBytes told of the bytes that were read, as they lie on the disk
 * @throws Failure where the header cannot be read, or the file has changed since it was opened
 */
export async function* rowsOf(source: Source, onBytes?: (bytes: number) => void): TextRows {
  let isHeader = true;
  for await (const rows of rowsOfForm(source, onBytes)) {
    const [first] = rows;
    if (isHeader && first !== undefined) refuseNoSuchLine(source, first);
    if (isHeader && first?.fault !== undefined) {
      throw new Failure('usage', `${source.name} line ${first.line}, its header: ${first.fault}`);
    }
    isHeader &&= first === undefined;
    yield source.encodings.join() === 'utf-8' ? rows : rows.map(withDecodingFault);
  }
}

function refuseNoSuchLine({ name, form, headerLine }: Source, { line }: TextRow): void {
  if (headerLine === undefined || headerLine === line || (form.type !== 'csv' && form.type !== 'workbook')) return;
  throw new Failure('usage', `${name} has no row on line ${headerLine}, which --header-line names.`, {
    lines: [`  The next one is on line ${line}.`],
  });
}

function rowsOfForm(source: Source, onBytes: ((bytes: number) => void) | undefined): TextRows {
  const { form, encodings } = source;
  const text = () => decoded(bytesOf(source, onBytes), encodings);
  if (form.type === 'csv' && form.kind !== undefined)
    return rowsOfKind(csvRows(text(), { ...form, hasKinds: true }), form.kind);
  if (form.type === 'csv') return csvRows(text(), form, source.headerLine);
  if (form.type === 'fixed-width') return fixedWidthRows(text(), form.columns, source.headerLine);
  if (form.type === 'workbook') return rowsOfSheet(source, form.sheet, onBytes);
  return jsonRows({ first: () => decoded(bytesOf(source), encodings), second: text }, form.items);
}

async function* rowsOfSheet(source: Source, sheet: string, onBytes: ((bytes: number) => void) | undefined): TextRows {
  const workbook = await openWorkbook(source);
  yield* workbook.rows(sheet, { from: source.headerLine, onBytes });
}

function withDecodingFault(row: TextRow): TextRow {
  if (row.fault !== undefined || !row.cells.some((cell) => cell.includes(REPLACEMENT))) return row;
  return { ...row, fault: 'Has bytes that are no text in the given encoding: is --encoding right?' };
}
