import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { openSources, rowsOf, type Source, type SourceFlags } from '../../src/extract/source.ts';
import type { TextRow, TextRows } from '../../src/extract/text-row.ts';
import { Failure } from '../../src/frame/failure.ts';
import { temporaryFolder } from './causeway.ts';

export const FLAGS: SourceFlags = {
  encoding: undefined,
  separator: undefined,
  fixedWidth: undefined,
  sheet: undefined,
  headerLine: undefined,
  quotes: undefined,
  flagOf: (flag) => `--${flag} accounts=`,
  showsValues: false,
};

/** The sources of a file with this content. */
export async function open(
  content: string | Uint8Array,
  flags: Partial<SourceFlags> = {},
  name = 'a.csv',
): Promise<Source[]> {
  const file = path.join(await temporaryFolder(), name);
  await writeFile(file, content);
  return openSources({ name, path: file }, { ...FLAGS, ...flags });
}

/** The first source of a file with this content, and its rows: the header, then the others. */
export async function read(content: string | Uint8Array, flags: Partial<SourceFlags> = {}) {
  const [source] = await open(content, flags);
  if (source === undefined) throw new Error('No source.');
  return { source, ...(await readRows(rowsOf(source))) };
}

/** All rows, with the cells of those without a fault, and the faults by their lines. */
export async function readRows(rows: TextRows) {
  const all: TextRow[] = [];
  for await (const some of rows) all.push(...some);
  const cells = all.filter(({ fault }) => fault === undefined).map((row) => row.cells);
  const faults = all.filter(({ fault }) => fault !== undefined).map(({ line, fault }) => [line, fault]);
  return { all, cells, faults };
}

/** The sentence and the lines of the failure with which something ends. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('Nothing has failed.'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure)) throw error;
  return [error.message, ...error.lines].join('\n');
}

/** A text in pieces of so many characters. */
export async function* piecesOf<Text extends string | Uint8Array>(text: Text, length: number): AsyncGenerator<Text> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length) as Text;
}

/** A zip file; `bytes` is what it says of a file's size in place of the truth. */
export function zip(files: Record<string, string>, lie: { bytes?: number } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(text), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(lie.bytes ?? Buffer.byteLength(text), 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('504b01021400', 'hex'), common, place, Buffer.from(name));
    const part = Buffer.concat([Buffer.from('504b0304', 'hex'), common, Buffer.from(name), packed]);
    parts.push(part);
    offset += part.length;
  }
  const end = Buffer.alloc(22);
  end.write('504b0506', 'hex');
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The files of a workbook with these sheets, each the rows of its XML. */
export function workbookFiles(sheets: Record<string, string>, other: Record<string, string> = {}) {
  const names = Object.keys(sheets);
  const ids = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`).join('');
  const targets = names.map((_name, index) => `<Relationship Id="r${index}" Target="worksheets/s${index}.xml"/>`);
  return {
    'xl/workbook.xml': `<workbook xmlns:r="${RELATIONSHIPS}"><sheets>${ids}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${targets.join('')}</Relationships>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...other,
  };
}
