import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';

const PAYMENTS = 'account,amount\n00123,5.00\nAB-7,"1,5"\n00123,7.10\n';
const MAPPING = `CREATE TEMP VIEW "of accounts" AS
SELECT account, sum_money(to_money(amount)) AS paid FROM main.payments GROUP BY 1;`;

/** Asks payments.csv, in a folder with a mapping. */
async function query(select: string, ...words: string[]) {
  const directory = await temporaryFolder();
  await writeFile(path.join(directory, 'payments.csv'), PAYMENTS);
  await writeFile(path.join(directory, 'mapping.sql'), MAPPING);
  const ended = await causeway(['map', 'query', select, 'payments.csv', ...words], { directory });
  expect((await readdir(directory)).sort()).toEqual(['mapping.sql', 'payments.csv']);
  return ended;
}

describe('25.2.16 a query', () => {
  it('prints its rows as CSV, says the table and how many rows were left out, and keeps nothing', async () => {
    const ended = await query('SELECT _line, account, amount FROM payments ORDER BY 1', '--limit', '2');
    expect(ended).toMatchObject({ code: 0, stdout: '_line,account,amount\n2,00123,5.00\n3,AB-7,"1,5"\n' });
    expect(ended.stderr).toContain('payments: payments.csv: 3 rows');
    expect(ended.stderr).toContain('1 more row left out');
  });

  it('is a document with --json, and events with --json-lines', async () => {
    const select = 'SELECT account AS a, NULL AS b, 9007199254740993 AS b FROM payments ORDER BY 1';
    const rows = [
      ['00123', null, '9007199254740993'],
      ['00123', null, '9007199254740993'],
    ];
    const ended = await query(select, '--limit', '2', '--json');
    expect(ended.json()).toEqual({ columns: ['a', 'b', 'b'], rows, left_out: 1 });
    const lines = (await query(select, '--limit', '2', '--json-lines')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      ...rows.map((cells) => ({ event: 'row', cells })),
      { event: 'finished', columns: ['a', 'b', 'b'], left_out: 1 },
    ]);
  });

  it('asks the views of a mapping, with its functions, and tells what these cannot read', async () => {
    const exact = await query(`SELECT * FROM "of accounts" WHERE account = '00123'`, '--mapping', 'mapping.sql');
    expect(exact).toMatchObject({ code: 0, stdout: 'account,paid\n00123,12.10\n' });
    const unread = await query(`SELECT to_date(amount, 'YYYY-MM-DD') AS day FROM payments WHERE account = 'AB-7'`);
    expect(unread.stdout).toBe('day\n"to_date cannot read “1,5”. Must be a day written YYYY-MM-DD."\n');
  });

  it.each([
    ['DELETE FROM payments', 'The query must be one SELECT'],
    ['SELECT 1; SELECT 2', 'The query must be one SELECT'],
    ['', 'The query must be one SELECT'],
    ['CREATE TEMP TABLE t AS SELECT 1', 'The query must be one SELECT'],
    ['WITH x AS (SELECT 1) DELETE FROM payments', 'The query line 1: DELETE is not allowed.'],
    [`SELECT readfile('/etc/passwd')`, 'The query line 1: There is no function readfile.'],
    [`SELECT date('now')`, 'The query line 1: A mapping cannot ask for the time of today.'],
    ['SELECT amont FROM payments', 'There is no column amont. Did you mean payments."amount"?'],
  ])('refuses %s', async (select, sentence) => expect(await query(select)).toMatchObject(failure(2, sentence)));

  it('refuses a limit that is none, and stops after --mapping-minutes', async () => {
    expect(await query('SELECT 1', '--limit', '0')).toMatchObject(failure(2, '--limit 0: give a number of rows'));
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n';
    const stopped = await query(endless, '--mapping-minutes', '0.01');
    expect(stopped).toMatchObject(failure(2, 'The query was stopped after 0.01 minutes.'));
  });
});
