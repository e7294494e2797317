import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBodies, type FramedLine, linesOfBody, MAX_BODY_BYTES, MAX_BODY_LINES } from '../src/index.ts';
import { allOf, eachOf, framed } from './support.ts';

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
