import path from 'node:path';
import { readFailure } from '../../book-files/book.ts';
import { Failure } from '../../frame/failure.ts';
import { type OpenedFile, refuseChanged } from '../file-bytes.ts';
import type { TextRows } from '../text-row.ts';
import { isDateFormat, textOfString } from './cell-text.ts';
import { readSheet } from './read-sheet.ts';
import { readWholeXml, type XmlListener } from './read-xml.ts';
import { unzipped, ZipDamage, type ZipEntry, zipEntriesOf } from './zip.ts';

/** A workbook of a spreadsheet: `.xlsx`. */
export interface Workbook {
  /** Their names, in their order, with the hidden ones. */
  sheets: readonly string[];
  /**
   * The rows of a sheet, blank ones left out, each at least as wide as the first. The cells are what they hold, whatever
   * their formats show: numbers with their digits, dates as 2026-04-05 or 2026-04-05 14:30:00, `true` and `false`. A
   * formula without a value, and a cell that holds an error, is a fault of its row.
   *
   * @param of from which line on, and who is told of the bytes that were read
   * @throws Failure where the file is damaged, or has changed since it was opened
   */
  rows(sheet: string, of?: { from?: number | undefined; onBytes?: ((bytes: number) => void) | undefined }): TextRows;
}

/** The files in a workbook, by their paths. */
type Parts = ReadonlyMap<string, ZipEntry>;

const ROOT = 'xl/workbook.xml';
const MAX_UNPACKED_BYTES = 2 * 1024 ** 3;
const MAX_GROWTH = 200;
/** Of what is held in memory. */
const MAX_WHOLE_BYTES = 256 * 1024 ** 2;
const AS_CSV = 'Save the sheet as CSV UTF-8 in the spreadsheet program, and give that file.';

/** @throws Failure where it is no workbook, damaged, encrypted, or would grow too large */
export async function openWorkbook(file: OpenedFile): Promise<Workbook> {
  try {
    const entries = await zipEntriesOf(file.path, file.bytes);
    refuseTooLarge(file, entries);
    const parts: Parts = new Map(entries.map((entry) => [entry.name, entry]));
    if (!parts.has(ROOT)) throw isNoWorkbook(file, parts);
    const { sheets, isFrom1904 } = await sheetsOf(file, parts);
    const dateStyles = await dateStylesOf(file, parts);
    let strings: Promise<string[]> | undefined;
    return {
      sheets: [...sheets.keys()],
      async *rows(sheet, { from = 1, onBytes } = {}) {
        try {
          const entry = parts.get(sheets.get(sheet) ?? '');
          if (entry === undefined) throw new ZipDamage(`its sheet ${sheet} is missing`);
          strings ??= stringsOf(file, parts);
          const context = { strings: await strings, dateStyles, isFrom1904, from };
          yield* readSheet(unzipped(file.path, entry, onBytes), context);
          await refuseChanged(file);
        } catch (error) {
          throw asFailure(file, error);
        }
      },
    };
  } catch (error) {
    throw asFailure(file, error);
  }
}

function asFailure({ name }: OpenedFile, error: unknown): Failure {
  if (!(error instanceof ZipDamage)) return readFailure(name, error);
  const lines = ['  Open it in a spreadsheet program and save it again, as .xlsx or as CSV UTF-8.'];
  return new Failure('usage', `${name} cannot be read as a workbook: ${error.message}.`, { lines, cause: error });
}

/** A zip file that says so grows to a thousand times its size; one that says less is cut off where it grows beyond that. */
function refuseTooLarge({ name, bytes }: OpenedFile, entries: readonly ZipEntry[]): void {
  const unpacked = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (unpacked <= MAX_UNPACKED_BYTES && unpacked <= bytes * MAX_GROWTH) return;
  throw new Failure('usage', `${name} is too large when it is unpacked. Nothing was read.`, { lines: [`  ${AS_CSV}`] });
}

function isNoWorkbook({ name }: OpenedFile, parts: Parts): Failure {
  if (parts.has('content.xml')) return new Failure('usage', `${name} is OpenDocument. ${AS_CSV}`);
  if (parts.has('xl/workbook.bin')) return new Failure('usage', `${name} is a binary workbook (.xlsb). ${AS_CSV}`);
  return new Failure('usage', `${name} is a zip file: unpack it, and give the files in it.`);
}

async function readPart(file: OpenedFile, entry: ZipEntry | undefined, listener: XmlListener): Promise<void> {
  if (entry === undefined) return;
  if (entry.bytes > MAX_WHOLE_BYTES) {
    const lines = [`  ${AS_CSV}`];
    throw new Failure('usage', `${file.name} has too much text to be held in memory. Nothing was read.`, { lines });
  }
  await readWholeXml(unzipped(file.path, entry), listener);
}

/** The parts of the sheets, by the sheets' names. */
async function sheetsOf(file: OpenedFile, parts: Parts) {
  const targets = new Map<string | undefined, string>();
  await readPart(file, parts.get('xl/_rels/workbook.xml.rels'), {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id: id, Target: target = '' } = attributes();
      targets.set(id, path.posix.join('/xl', target.startsWith('/') ? path.posix.relative('/xl', target) : target));
    },
  });
  const sheets = new Map<string, string>();
  let isFrom1904 = false;
  await readPart(file, parts.get(ROOT), {
    open(name, attributes) {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes().date1904 ?? '');
      if (name !== 'sheet') return;
      const found = attributes();
      const id = Object.entries(found).find(([key]) => key.endsWith(':id'))?.[1];
      sheets.set(found.name ?? '', targets.get(id)?.slice(1) ?? '');
    },
  });
  return { sheets, isFrom1904 };
}

/** Of each style of a cell, by its number, whether it shows numbers as dates. */
async function dateStylesOf(file: OpenedFile, parts: Parts): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const styles: boolean[] = [];
  let isOfCells = false;
  await readPart(file, parts.get('xl/styles.xml'), {
    open(name, attributes) {
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'numFmt') codes.set(Number(attributes().numFmtId), attributes().formatCode ?? '');
      if (name !== 'xf' || !isOfCells) return;
      const id = Number(attributes().numFmtId ?? 0);
      styles.push(isDateFormat(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return styles;
}

/** The texts that cells name by their numbers. */
async function stringsOf(file: OpenedFile, parts: Parts): Promise<string[]> {
  const strings: string[] = [];
  let [string, isText, isPhonetic] = ['', false, false];
  await readPart(file, parts.get('xl/sharedStrings.xml'), {
    open(name) {
      if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text(text) {
      if (isText) string += text;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') {
        strings.push(textOfString(string));
        string = '';
      }
    },
  });
  return strings;
}
