import { expect, test } from 'vitest';
import { coverageOf, type FoundTest, statementsOf, strayTests } from '../src/specification/coverage.ts';
import { readStatements } from '../src/specification/read-statements.ts';
import { readTestTitles } from '../src/specification/read-test-titles.ts';

const titlesIn = (source: string) => readTestTitles(source).map(({ names }) => names);
const found = (...names: string[]): FoundTest => ({ names, line: 1, file: 'x.test.ts' });

test('20.1 the titles of tests are read in all their forms, with the describe blocks around them', () => {
  const source = `
    import { describe, it, test } from 'vitest';
    // test('2.1 in a comment', () => {});
    /* it('2.1 in another', () => {}); */
    const text = "test('2.1 in a text', () => {})";
    const template = \`test('2.1 \${\`in a \${text}\`}', () => {})\`;
    const pattern = /test\\('2.1 in a [(] pattern'/;
    pattern.test('2.1 a call of a pattern');
    test('2.2 plain', () => expect(') [ {').toBe(1 / 2));
    describe('outer', () => {
      it("2.3 it's in double quotes", async () => {});
      describe.each([[1, ')']])('%s inner', () => {
        test.concurrent.each<[string, () => unknown]>([
          ['(', () => "2.1 in a table, '"],
        ])(
          '2.4 a table: %s',
          { timeout: 1 },
          async () => {},
        );
      });
    });
    test.skipIf(process.platform === 'win32')(\`2.5 a template\`, () => {});
    test('2.6 isn\\'t unescaped wrongly', () => {});
  `;
  expect(titlesIn(source)).toEqual([
    ['2.2 plain'],
    ['outer', "2.3 it's in double quotes"],
    ['outer', '%s inner', '2.4 a table: %s'],
    ['2.5 a template'],
    ["2.6 isn't unescaped wrongly"],
  ]);
  expect(readTestTitles(source)[0]?.line).toBe(9);
});

test('20.1 tests that do not run prove nothing', () => {
  const source =
    "test.skip('2.1 a', () => {}); it.todo('2.2 b'); test.skip.each([1])('2.3 c', () => {}); test('2.4 d', f);";
  expect(titlesIn(source)).toEqual([['2.4 d']]);
});

test('20.1 a title that cannot be read is an error with its line, not a gap that nobody sees', () => {
  expect(() => readTestTitles('\ntest(title, () => {});')).toThrow('line 2: the title of a test has to be a literal');
});

test.each([
  ['4.5 skips', ['4.5']],
  ['4.9 4.10 4.11 a list', ['4.9', '4.10', '4.11']],
  ['2.4, 4.4 notes', ['2.4', '4.4']],
  ['4.5.3 skips', ['4.5.3']],
  ['8 is off by default', ['8']],
  ['chapter 4.5 accounts', []],
  ['10,000 transactions', []],
  ['3.14159', []],
])('20.2 %s names the statements %j', (name, statements) => {
  expect(statementsOf(name)).toEqual(statements);
});

const specification = [
  {
    section: '4.5',
    title: 'Transactions',
    rows: [
      { row: 'amount', promise: 'Exact.' },
      { row: '429', promise: 'Too many.', section: '8', words: 'lets through 40' },
    ],
  },
  { section: '7.1', title: 'Statuses', rows: [{ row: '200', promise: 'Good.', section: '4.5', words: 'answers 200' }] },
];
const proofs = (tests: FoundTest[]) => coverageOf(specification, tests).map((row) => row.tests.length);

test('20.3 a row is proved by a test of its section that has its words, and by no other', () => {
  expect(proofs([])).toEqual([0, 0, 0, 0, 0]);
  expect(proofs([found('4.5 gross_amount and amounts')])).toEqual([1, 0, 0, 0, 0]);
  expect(proofs([found('4.6 amount')])).toEqual([0, 0, 0, 0, 0]);
  expect(proofs([found('4.5 the Amount, exact')])).toEqual([1, 1, 0, 0, 0]);
  expect(proofs([found('4.5.2 the Amount, exact')])).toEqual([1, 1, 0, 0, 0]);
  expect(proofs([found('4.5 lets 40 through'), found('8 lets exactly 40 through')])).toEqual([2, 0, 1, 0, 0]);
  expect(proofs([found('4.5 transactions', 'answers 200')])).toEqual([1, 0, 0, 1, 1]);
});

const behaviour = `# Behaviour

## 4. Endpoints

### 4.5 Transactions

- **4.5.1** All or none.
- **4.5.2** In the order
  of the request, as **4.5.9** is not.

## 8. Limits

- **8.1** Off by default.
`;

test('20.2 the numbers of chapters, sections and statements can be named, and each is given once', () => {
  expect([...readStatements(behaviour)]).toEqual(['4', '4.5', '4.5.1', '4.5.2', '8', '8.1']);
  expect(() => readStatements(`${behaviour}- **8.1** Again.`)).toThrow('has the number 8.1 twice');
});

test('20.2 a test that names no statement, or one that there is not, is a stray', () => {
  const statements = readStatements(behaviour);
  const known = [found('4.5 a'), found('4.5.2 a'), found('4 a chapter'), found('8.1 b'), found('4.5 c', 'no number')];
  expect(strayTests(statements, known)).toEqual([]);
  const strays = [
    found('4.7 d'),
    found('4.5.9 e'),
    found('4.5 f', '4.5.9 f'),
    found('no number'),
    found('chapter 4.5 g'),
  ];
  expect(strayTests(statements, [...known, ...strays])).toEqual(strays);
});
