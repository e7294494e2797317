import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { BookPlace } from '../src/book-files/book.ts';
import { digestOfBook } from '../src/book-files/digest-of-book.ts';
import { openBook } from '../src/book-files/open-book.ts';
import { temporaryFolder } from './support/causeway.ts';

const LINES = Array.from({ length: 1_000 }, (_, index) => `{"external_account_number":"HV-${index}","ä":"é"}`);
const TEXT = `\uFEFF${LINES.slice(0, 500).join('\n')}\n\n  \r\n${LINES.slice(500).join('\r\n')}`;

interface Opening {
  directory: string;
  stdin?: string;
  from?: BookPlace;
  stop?: AbortSignal;
}

async function linesOf(files: readonly string[], { directory, stdin = '', from, stop }: Opening) {
  const surroundings = { directory, stdin: Readable.from([stdin]), stop: stop ?? new AbortController().signal };
  const book = await openBook(files, surroundings);
  const lines = [];
  for await (const batch of book.batches(from)) {
    for (const line of batch.lines) lines.push({ file: batch.file, ...line, bytes: line.bytes.toString() });
  }
  return { book, lines };
}

describe('the files of a book', () => {
  it('25.1.7 are read whatever packs them, one after the other, each line with its number and its place', async () => {
    const directory = await temporaryFolder();
    const files = { 'plain.ndjson': Buffer.from(TEXT), 'b.dat': gzipSync(TEXT), 'c.ndjson': zstdCompressSync(TEXT) };
    for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(directory, name), bytes);
    const { book, lines } = await linesOf(Object.keys(files), { directory });
    expect(lines.map(({ bytes }) => bytes)).toEqual([...LINES, ...LINES, ...LINES]);
    expect(book.read()).toBe(book.bytes);
    const unpacked = Buffer.from(TEXT);
    for (const { number, offset, bytes } of lines) {
      const start = offset === 0 ? 3 : offset;
      expect(unpacked.toString('utf8', start, start + Buffer.byteLength(bytes))).toBe(bytes);
      expect(unpacked.toString('utf8', 0, offset).split('\n').length).toBe(number);
    }
  });

  it('25.1.7 continue at any line, in any of them', async () => {
    const directory = await temporaryFolder();
    for (const name of ['a', 'b']) await writeFile(path.join(directory, name), gzipSync(TEXT));
    const { lines } = await linesOf(['a', 'b'], { directory });
    for (const index of [0, 499, 500, 1_700, 1_999]) {
      const { file, offset, number } = lines[index] as BookPlace;
      const { book, lines: rest } = await linesOf(['a', 'b'], { directory, from: { file, offset, number } });
      expect(rest).toEqual(lines.slice(index));
      expect(book.read()).toBe(book.bytes);
    }
  });

  it('25.1.7 may be failed rows, of which each line is taken exactly as it stands there, and standard input', async () => {
    const rows = [
      '{"line":7,"code":"x","errors":[],"data":{"external_account_number" : "HV-1", "amount": 1.10}}',
      '{"line":8,"code":"x","errors":[],"data":"{not \\"json"}',
      '{"account":{}}',
    ];
    const { book, lines } = await linesOf(['-'], { directory: '/', stdin: rows.join('\n') });
    expect(lines.map(({ number, bytes }) => [number, bytes])).toEqual([
      [1, '{"external_account_number" : "HV-1", "amount": 1.10}'],
      [2, '{not "json'],
      [3, '{"account":{}}'],
    ]);
    expect(book.bytes).toBeUndefined();
  });

  it('25.1.7 are refused by name where they are missing, folders, damaged, or standard input twice', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'cut.gz'), gzipSync(TEXT).subarray(0, -10));
    await writeFile(path.join(directory, 'good'), TEXT);
    await expect(linesOf(['good', 'none'], { directory })).rejects.toThrow(
      'none cannot be read: there is no such file.',
    );
    await expect(linesOf(['.'], { directory })).rejects.toThrow('. is a folder');
    await expect(linesOf(['cut.gz'], { directory })).rejects.toThrow('cut.gz: This cannot be unpacked as gzip');
    await expect(linesOf(['-', '-'], { directory })).rejects.toThrow('name - once');
  });

  it('25.1.7 are refused as a whole where they are one JSON document, CSV or UTF-16, with what makes a book of them', async () => {
    const hints = {
      '[{"account":{}},\n{"account":{}}]': "jq -c '.[]'",
      '\n{\n  "account": {}\n}\n': "jq -c '.'",
      '\uFEFF"external_account_number";"billing_name"\nA-1;x\n': 'causeway convert',
      '{\u0000"\u0000': 'iconv -f UTF-16LE',
      '\u0000{\u0000"': 'iconv -f UTF-16BE',
    };
    for (const [stdin, hint] of Object.entries(hints)) {
      const refused = linesOf(['-'], { directory: '/', stdin });
      await expect(refused).rejects.toMatchObject({ ending: 'usage', lines: [expect.stringContaining(hint)] });
    }
  });

  it('25.1.7 are read no further once the command is stopped', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'book'), TEXT);
    expect((await linesOf(['book'], { directory, stop: AbortSignal.abort() })).lines).toEqual([]);
  });

  it('25.1.7 have a digest that another size or another beginning changes', async () => {
    const directory = await temporaryFolder();
    const digest = async (text: string) => {
      await writeFile(path.join(directory, 'book'), text);
      return digestOfBook(['book'], { directory });
    };
    const all = [await digest(TEXT), await digest(`${TEXT} `), await digest(TEXT.replace('HV-1"', 'HV-2"'))];
    expect(new Set(all).size).toBe(3);
    expect(await digest(TEXT)).toBe(all[0]);
  });
});
