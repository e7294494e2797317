import type { TestTitle } from './read-test-titles.ts';

/** A promise of the specification, and how its proof is known: by the section that a test begins with and words in its name. */
export interface Row {
  row: string;
  promise: string;
  /** All of them stand in the test's name, in any order. By default the row's own name. */
  words?: string;
  /** Where another section's tests prove it. */
  section?: string;
}

export interface Section {
  section: string;
  title: string;
  rows: Row[];
}

/** What the specification promises, section by section: `docs/specification-coverage.json`. */
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

/** What proves each section and row, in the specification's order. */
export function coverageOf(specification: Specification, tests: readonly FoundTest[]): CoveredRow[] {
  const testsOf = (section: string, words: string[] = []) =>
    tests.filter(({ names }) => names.flatMap(sectionsOf).includes(section) && hasWords(names.join(' '), words));
  return specification.flatMap(({ section, title, rows }) => {
    const covered = rows.map(({ row, promise, words = row, section: elsewhere = section }) => {
      return { section, row, promise, tests: testsOf(elsewhere, words.split(' ')) };
    });
    // A section such as the table of status codes is proved by what proves its rows, wherever that stands.
    const all = new Set([...testsOf(section), ...covered.flatMap((row) => row.tests)]);
    return [{ section, row: '', promise: title, tests: [...all] }, ...covered];
  });
}

/** The sections that a name begins with: `4.5 skips ...` or `2.4 4.4 adds ...`. Those of other documents have none. */
export function sectionsOf(name: string): string[] {
  const [head = ''] = /^(?:\d+(?:\.\d+)?(?:, | ))*/.exec(name) ?? [];
  return head.split(/[ ,]+/).filter((section) => section !== '');
}

/** Tests that begin with a number which is no section, chapter or item of the specification: a slip of the pen. */
export function strayTests(specification: Specification, tests: readonly FoundTest[]): FoundTest[] {
  const sections = specification.map(({ section }) => section);
  const isKnown = (number: string) =>
    sections.some((section) => section === number || section.startsWith(`${number}.`)) ||
    sections.includes(number.replace(/\..*/, ''));
  return tests.filter(({ names }) => !names.flatMap(sectionsOf).every(isKnown));
}

/** Whether all these words stand in the name, in any order; `amount` is no word of `gross_amount`. */
function hasWords(name: string, words: string[]): boolean {
  return words.every((word) => new RegExp(`(?<!\\w)${RegExp.escape(word)}(?!\\w)`, 'i').test(name));
}
