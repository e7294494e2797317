import type { TestTitle } from './read-test-titles.ts';

/** A promise of the specification, and how its proof is known: by the section that a test begins with and words in its name. */
export interface Row {
  promise: string;
  /** All of them stand in the test's name, in any order. By default the row's own name. */
  words?: string;
  /** Where another section's tests prove it. */
  section?: string;
}

/** The specification's sections by number, each with its rows by name: `docs/specification-coverage.json`. */
export type Specification = Record<string, { title: string; rows: Record<string, string | Row> }>;

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

/** What proves each section and row, in the specification's order. A section is proved by the tests that begin with it. */
export function coverageOf(specification: Specification, tests: readonly FoundTest[]): CoveredRow[] {
  const testsOf = (section: string, words = '') =>
    tests.filter(({ names }) => names.flatMap(sectionsOf).includes(section) && hasWords(names.join(' '), words));
  return Object.entries(specification).flatMap(([section, { title, rows }]) => [
    { section, row: '', promise: title, tests: sectionTests(section) },
    ...Object.entries(rows).map(([name, row]) => {
      const { promise, words = name, section: elsewhere = section } = typeof row === 'string' ? { promise: row } : row;
      return { section, row: name, promise, tests: testsOf(elsewhere, words) };
    }),
  ]);

  // A section whose rows all are proved elsewhere, such as the table of status codes, needs no test of its own.
  function sectionTests(section: string): FoundTest[] {
    const rows = Object.entries(specification[section]?.rows ?? {});
    const elsewhere = rows.flatMap(([name, row]) =>
      typeof row === 'object' && row.section !== undefined ? testsOf(row.section, row.words ?? name) : [],
    );
    return [...new Set([...testsOf(section), ...elsewhere])];
  }
}

/** The sections that a name begins with: `4.5 skips ...` or `2.4 4.4 adds ...`. Those of other documents have none. */
export function sectionsOf(name: string): string[] {
  const [head = ''] = /^(?:\d+(?:\.\d+)?(?:, | ))*/.exec(name) ?? [];
  return head.split(/[ ,]+/).filter((section) => section !== '');
}

/** Tests that begin with a section which is neither one of the specification nor a chapter of it: a slip of the pen. */
export function strayTests(specification: Specification, tests: readonly FoundTest[]): FoundTest[] {
  const known = Object.keys(specification).flatMap((section) => [section, section.replace(/\..*/, '')]);
  return tests.filter(({ names }) => names.flatMap(sectionsOf).some((section) => !known.includes(section)));
}

/** Whether all these words stand in the name, in any order; `amount` is no word of `gross_amount`. */
function hasWords(name: string, words: string): boolean {
  return words.split(' ').every((word) => new RegExp(`(?<!\\w)${RegExp.escape(word)}(?!\\w)`, 'i').test(name));
}
