import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type CoveredRow, coverageOf, type FoundTest, type Specification, strayTests } from './coverage.ts';
import { readStatements } from './read-statements.ts';
import { readTestTitles } from './read-test-titles.ts';

// node main.ts [--rows | --tests]: counts the sections and rows of docs/specification-coverage.json that a test proves;
// with --rows it lists them with the number of their tests, with --tests the tests too. Exits with 1 if one has none, or
// if the title of a test cites no statement of docs/behaviour.md.
const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const specification = JSON.parse(
  readFileSync(path.join(REPOSITORY, 'docs/specification-coverage.json'), 'utf8'),
) as Specification;
const statements = readStatements(readFileSync(path.join(REPOSITORY, 'docs/behaviour.md'), 'utf8'));

function readTests(): FoundTest[] {
  const files = globSync('{apps,packages,examples}/*/test/**/*.test.ts', { cwd: REPOSITORY }).sort();
  return files.flatMap((file) => {
    try {
      return readTestTitles(readFileSync(path.join(REPOSITORY, file), 'utf8')).map((test) => ({ ...test, file }));
    } catch (error) {
      throw new Error(`${file}, ${(error as Error).message}`, { cause: error });
    }
  });
}

function describeRow({ section, row, promise, tests }: CoveredRow, withTests: boolean): string[] {
  const name = row === '' ? section.padEnd(6) : `       ${row}`;
  const count = tests.length === 0 ? 'NO TEST' : `${tests.length} ${tests.length === 1 ? 'test' : 'tests'}`;
  const lines = withTests
    ? tests.map(({ file, line, names }) => `             ${file}:${line} ${names.join(' > ')}`)
    : [];
  return [`${count.padStart(9)}  ${name}${row === '' ? '' : ': '}${promise}`, ...lines];
}

const tests = readTests();
const rows = coverageOf(specification, tests);
const gaps = rows.filter((row) => row.tests.length === 0);
const stray = strayTests(statements, tests);
const withTests = process.argv.includes('--tests');
const report = [
  ...(withTests || process.argv.includes('--rows') ? rows.flatMap((row) => describeRow(row, withTests)) : []),
  ...gaps.map(({ section, row, promise }) => `No test proves ${section} ${row}: ${promise}`),
  ...stray.map(
    ({ file, line, names }) => `${file}:${line} names no statement of docs/behaviour.md: ${names.join(' > ')}`,
  ),
  `${rows.length} sections and rows, ${gaps.length} without a test; ${tests.length} tests read, ${stray.length} of them stray.`,
];
process.stdout.write(`${report.join('\n')}\n`);
process.exitCode = gaps.length + stray.length === 0 ? 0 : 1;
