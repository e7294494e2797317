import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cutBodies,
  type FramedLine,
  linesOfBody,
  MAX_BODY_BYTES,
  MAX_BODY_LINES,
  MAX_FAILED_ROW_BYTES,
  PartRefusal,
} from '../src/index.ts';
import { allOf, eachOf, framed, inPieces, lineBytes, pieceSizes } from './support.ts';

const lineEnds = fc.constantFrom('\n', '\r\n');
const blanks = fc.constantFrom('', '', '', ' ', '\t \t', '\r');

test('21.2.1 lines come back byte for byte and with their numbers, in whatever pieces they arrive', async () => {
  const aLine = fc.record({
    bytes: fc.oneof(
      lineBytes,
      blanks.map((text) => Buffer.from(text)),
    ),
    lineEnd: lineEnds,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(aLine), pieceSizes, fc.boolean(), async (sent, sizes, isEnded) => {
      const text = Buffer.concat(sent.flatMap(({ bytes, lineEnd }) => [bytes, Buffer.from(lineEnd)]));
      const last = Buffer.from('{"last":1}');
      const lines = await framed(inPieces(isEnded ? text : Buffer.concat([text, last]), sizes));
      const expected = sent.map(({ bytes }, index) => ({
        number: index + 1,
        bytes: bytes.toString('latin1').trim() === '' ? Buffer.alloc(0) : bytes,
      }));
      expect(lines).toEqual(isEnded ? expected : [...expected, { number: sent.length + 1, bytes: last }]);
    }),
  );
});

test('21.2.1 a byte order mark before a line is left out, wherever files were joined', async () => {
  const book = Buffer.from('\uFEFF{"a":1}\n\uFEFF{"b":2}\n{"c":"\uFEFF"}');
  for (let size = 1; size < 5; size += 1) {
    const lines = await framed(inPieces(book, Array(40).fill(size)));
    expect(lines.map(({ bytes }) => bytes.toString())).toEqual(['{"a":1}', '{"b":2}', '{"c":"\uFEFF"}']);
  }
});

test('21.2.2 an empty book has no lines, and a blank line counts as one', async () => {
  expect(await framed([])).toEqual([]);
  expect(await framed([Buffer.from('\n')])).toEqual([{ number: 1, bytes: Buffer.alloc(0) }]);
});

test('21.2.4 framing stops at the line that is one too many', async () => {
  const limits = { maxLineBytes: 10, maxLines: 3 };
  expect(await framed([Buffer.from('a\n\nb\n')], limits)).toHaveLength(3);
  await expect(framed([Buffer.from('a\n\nb\nc')], limits)).rejects.toThrow(PartRefusal);
  await expect(framed([Buffer.from('\n\n\n\n')], limits)).rejects.toThrow('more than 3 lines');
});

test('21.2.5 of a line without end only its beginning is kept, and the next line is whole', async () => {
  const limits = { maxLineBytes: 1_000 };
  const piece = Buffer.alloc(100_000, 'x');
  const pieces = [...Array<Buffer>(100).fill(piece), Buffer.from('\n{"next":1}\n')];
  const [long, next] = await framed(pieces, limits);
  expect(long).toEqual({ number: 1, bytes: Buffer.alloc(1_000 + MAX_FAILED_ROW_BYTES + 1, 'x') });
  expect(next).toEqual({ number: 2, bytes: Buffer.from('{"next":1}') });
});

test('21.2.5 a long line that begins with white space is not taken for a blank one', async () => {
  const [line] = await framed([Buffer.alloc(400_000, ' '), Buffer.from('{}')], { maxLineBytes: 10 });
  expect(line?.bytes.length).toBe(10 + MAX_FAILED_ROW_BYTES + 1);
});

const MARK = '\uFEFF';
const bodiesOf = (lines: FramedLine[]) => allOf(cutBodies(eachOf(lines)));

async function linesOf(text: string): Promise<FramedLine[]> {
  return framed([Buffer.from(text)], { maxLineBytes: 3 * MAX_BODY_BYTES });
}

test('21.2.6 bodies give back the lines that were put into them, each with its number', async () => {
  const aLine = fc.oneof(
    {
      weight: 100,
      arbitrary: fc.constantFrom('{"a":1}', '', '', '{}', 'no json', MARK, MARK + MARK, `${MARK}${MARK}{}\r\r`),
    },
    { weight: 1, arbitrary: fc.constant(`{"b":"${'x'.repeat(400_000)}"}`) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(aLine, { size: 'max', maxLength: 400 }), async (sent) => {
      const lines = await linesOf(sent.map((line) => `${line}\n`).join(''));
      const bodies = await bodiesOf(lines);
      let first = 1;
      const found = bodies.flatMap(({ text, span }) => {
        const read = linesOfBody(text, first);
        first += span;
        return read;
      });
      const said = lines.filter(({ bytes }) => bytes.length > 0);
      expect(found).toEqual(said);
      expect(bodies.flatMap((body) => body.lines)).toEqual(said);
      expect(first - 1).toBe(said.length === 0 ? 0 : lines.length);
      for (const { text, lines: some } of bodies) {
        expect(some.length).toBeGreaterThan(0);
        expect(some.length).toBeLessThanOrEqual(MAX_BODY_LINES);
        // Blank lines between two lines are kept beside them.
        expect(text.length - 400).toBeLessThanOrEqual(MAX_BODY_BYTES);
      }
    }),
    { numRuns: 30 },
  );
});

test('21.2.6 a line that is longer than a body has a body of its own', async () => {
  const long = `{"a":"${'x'.repeat(2 * MAX_BODY_BYTES)}"}`;
  const bodies = await bodiesOf(await linesOf(`{"a":1}\n${long}\n{"a":2}\n`));
  expect(bodies.map(({ lines }) => lines.map(({ number }) => number))).toEqual([[1], [2], [3]]);
  expect(bodies.map(({ span }) => span)).toEqual([1, 1, 1]);
});
