import type { TestTitle } from './read-test-titles.ts';

/**
 * A guarantee of the interface, and how its tests are recognised: by the section number and the words in their titles.
 */
export interface Row {
  row: string;
  promise: string;
  /** All of them must be in the test's title, in any order. Default: the row's own name. */
  words?: string;
  /** The section whose tests prove it, if it is another one. */
  section?: string;
}

export interface Section {
  section: string;
  title: string;
  rows: Row[];
}

/** What chapters 1 to 9 of `docs/behaviour.md` promise, section by section: `docs/specification-coverage.json`. */
export type Specification = Section[];

/** A test and the file it is in. */
export interface FoundTest extends TestTitle {
  file: string;
}

export interface CoveredRow {
  section: string;
  /** Empty for the section as a whole. */
  row: string;
  promise: string;
  tests: FoundTest[];
}

/** The tests of each section and row, in the specification's order. */
export function coverageOf(specification: Specification, tests: readonly FoundTest[]): CoveredRow[] {
  const testsOf = (section: string, words: string[] = []) =>
    tests.filter(
      ({ names }) => names.flatMap(statementsOf).map(sectionOf).includes(section) && hasWords(names.join(' '), words),
    );
  return specification.flatMap(({ section, title, rows }) => {
    const covered = rows.map(({ row, promise, words = row, section: elsewhere = section }) => {
      return { section, row, promise, tests: testsOf(elsewhere, words.split(' ')) };
    });
    // A section such as the table of status codes is proved by the tests of its rows, wherever they are.
    const all = new Set([...testsOf(section), ...covered.flatMap((row) => row.tests)]);
    return [{ section, row: '', promise: title, tests: [...all] }, ...covered];
  });
}

/** The numbers at the beginning of a title: `4.5 skips ...`, `4.5.3 skips ...` or `2.4 4.4 adds ...`. */
export function statementsOf(name: string): string[] {
  const [head = ''] = /^(?:\d+(?:\.\d+){0,2}(?:, | ))*/.exec(name) ?? [];
  return head.split(/[ ,]+/).filter((number) => number !== '');
}

/** The section of a statement: 4.5 for 4.5.3. */
function sectionOf(statement: string): string {
  return statement.split('.', 2).join('.');
}

/**
 * Tests that cite no statement of `docs/behaviour.md`, or one that does not exist: it is unclear what they guarantee.
 */
export function strayTests(statements: ReadonlySet<string>, tests: readonly FoundTest[]): FoundTest[] {
  return tests.filter(({ names }) => {
    const numbers = names.flatMap(statementsOf);
    return numbers.length === 0 || !numbers.every((number) => statements.has(number));
  });
}

/** Whether all these words are in the title, in any order; `amount` does not match `gross_amount`. */
function hasWords(name: string, words: string[]): boolean {
  return words.every((word) => new RegExp(`(?<!\\w)${RegExp.escape(word)}(?!\\w)`, 'i').test(name));
}
