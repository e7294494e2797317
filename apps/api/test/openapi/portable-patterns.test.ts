import { describe, expect, test } from 'vitest';
import { publishedDocument } from '../support/published-document.ts';

/** What Python, Java, Go (RE2) and JavaScript with and without its flag `u` read alike. */
const PORTABLE =
  /^\^(?:\\[.\\sS]|[A-Za-z0-9@:_ -]|\[\^?(?:[A-Za-z0-9/@#_!~ -]|\\[\\sS])+\]|\(\?:|[|)*+?]|\{[0-9]{1,4}(?:,[0-9]{1,4})?\})+\$$/;
/** RE2 repeats nothing more often. */
const MOST_REPEATS = 1_000;

interface Patterned {
  pattern: string;
  examples: string[];
}

/** Every pattern of the document, with the examples of its field. */
function patternsIn(value: unknown): Patterned[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { pattern, examples = [] } = value as { pattern?: unknown; examples?: unknown[] };
  const texts = Array.isArray(examples) ? examples.filter((example) => typeof example === 'string') : [];
  const own = typeof pattern === 'string' ? [{ pattern, examples: texts }] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const found = Map.groupBy(patternsIn(publishedDocument), ({ pattern }) => pattern);
const patterns = [...found].map(([pattern, all]) => ({ pattern, examples: all.flatMap(({ examples }) => examples) }));
const TEXTS = ['', ' ', 'a', ' a', 'a ', 'Zoë 1', 'a\nb', '日本', '/a', 'a@b.co', '1.5', '٣', 'A-B', 'x'.repeat(2_000)];

/** Whether the pattern is at the top only one thing between its ends: `^a|b$` is `^a` or `b$`. */
function hasOneAlternative(pattern: string): boolean {
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]])*\]|./gs)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) return false;
  }
  return true;
}

test('2.10.24 the document has patterns to look at', () => {
  expect(patterns.length).toBeGreaterThan(15);
});

describe.each(patterns)('the published pattern $pattern', ({ pattern, examples }) => {
  test('2.10.24 uses only what Python, Java, Go and JavaScript share, from the first character to the last', () => {
    expect(pattern).toMatch(PORTABLE);
    expect(hasOneAlternative(pattern)).toBe(true);
    const repeats = [...pattern.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].flatMap(([, ...numbers]) => numbers.map(Number));
    expect(Math.max(0, ...repeats.filter(Number.isFinite))).toBeLessThanOrEqual(MOST_REPEATS);
  });

  test('2.10.24 accepts the same with and without Unicode, found or as a whole, and its examples', () => {
    const ways = [new RegExp(pattern), new RegExp(pattern, 'u'), new RegExp(`^(?:${pattern})$`)];
    for (const text of [...TEXTS, ...examples]) {
      expect([text, new Set(ways.map((way) => way.test(text))).size]).toEqual([text, 1]);
    }
    for (const example of examples) expect(example).toMatch(ways[0] as RegExp);
  });
});
