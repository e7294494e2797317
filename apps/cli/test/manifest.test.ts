import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createRestClient } from '@causeway/rest-client';
import { describe, expect, it } from 'vitest';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier, query } from './support/supplier.ts';

const LINES = [
  { external_account_number: 'A-1', transfer_balance: '-48.20', transactions: 2, transactions_sum: '104.88' },
  { external_account_number: 'A-2', transfer_balance: '0.00', transactions: 0, transactions_sum: '0.00' },
];
const TOTALS = { accounts: 2, transfer_balance: '-48.20', transactions: 2, transactions_sum: '104.88' };
const ndjson = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
const AS_OF = '2026-04-16T22:00:00Z';

/** A folder with these files. */
async function filesOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const directory = await temporaryFolder();
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(directory, name), text)));
  return directory;
}

describe('manifest', () => {
  it('25.7.1 check says offline whether lines add up to the totals, and names each figure that contradicts', async () => {
    const directory = await filesOf({
      'good.ndjson': ndjson([{ totals: TOTALS }, ...LINES]),
      'bad.ndjson': ndjson([...LINES, { totals: { ...TOTALS, transactions_sum: '104.89', notes: 1 } }]),
    });
    const good = await causeway(['manifest', 'check', 'good.ndjson'], { directory });
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('✓  transactions_sum  104.88') });
    const flags = '--supplier CODE --source-system NAME --as-of DATETIME';
    expect(good.stderr).toContain(`causeway manifest lodge good.ndjson ${flags}\n`);
    const bad = await causeway(['manifest', 'check', 'bad.ndjson'], { directory });
    expect(bad.code).toBe(3);
    expect(bad.stdout).toContain('totals.transactions_sum: The total is 104.89, and the lines add up to 104.88.');
    expect(bad.stdout).toContain(
      'totals.notes: The total cannot be checked: 2 lines do not claim this figure (A-1, A-2).',
    );
  });

  it('25.7.1 check names the lines that the service would refuse, and an account with two lines', async () => {
    const wrong = [LINES[0], { ...LINES[1], transfer_balance: '1.005' }, LINES[0], { ...LINES[1], notse: 1 }];
    const directory = await filesOf({ 'm.ndjson': `${ndjson(wrong as object[])}no json\n`, 'empty.ndjson': '\n' });
    const checked = await causeway(['manifest', 'check', 'm.ndjson', '--json'], { directory });
    expect(checked.code).toBe(3);
    const { wrong_lines, first_wrong_lines } = checked.json();
    expect(wrong_lines).toBe(4);
    expect(first_wrong_lines).toMatchObject([
      { line: 2, errors: [{ attr: 'transfer_balance' }] },
      { line: 3, errors: [{ code: 'duplicate_in_file', detail: 'Line 1 is about the same account.' }] },
      { line: 4, errors: [{ attr: 'notse' }] },
      { line: 5, errors: [{}] },
    ]);
    expect((await causeway(['manifest', 'check', 'empty.ndjson'], { directory })).code).toBe(2);
    expect((await causeway(['manifest', 'check', 'none.ndjson'], { directory })).stderr).toContain('no such file');
  });

  it('25.7.1 a CSV file is the same manifest as the lines that it stands for, and is read whole or not at all', async () => {
    const header = 'external_account_number;transfer_balance;transactions;transactions_sum;by_type.CHARGE.count;';
    const rows = 'A-1;-48.20;2;104.88;2;104.88;true\nA-2;0.00;0;0.00;;;\n';
    const charge = { CHARGE: { count: 2, amount: '104.88' } };
    const same = [{ ...LINES[0], by_type: charge, payment_instruction: true }, LINES[1]];
    const line = `${JSON.stringify({ totals: TOTALS })}\n`;
    const directory = await filesOf({
      'm.csv.gz': gzipSync(`${header}by_type.CHARGE.amount;payment_instruction\n${rows}`),
      'm.ndjson': ndjson(same as object[]),
      'wrong.csv': 'external_account_number,balance\nA-1,0\n',
      'cut.csv': 'external_account_number,notes\nA-1,2\nA-2,"2\n',
      'array.json': JSON.stringify(same),
      'tabs.csv': `${header}by_type.CHARGE.amount;payment_instruction\n${rows};;;\n`.replaceAll(';', '\t') + line,
      'totals.json': JSON.stringify(TOTALS),
    });
    const csv = await causeway(['manifest', 'check', 'm.csv.gz', '--json', '--totals', 'totals.json'], { directory });
    const plain = await causeway(['manifest', 'check', 'm.ndjson', '--json'], { directory });
    expect(csv.json()).toMatchObject({ accounts: 2, totals_from: 'source', totals: TOTALS, wrong_lines: 0 });
    expect(csv.json().digest).toBe(plain.json().digest);
    const tabs = await causeway(['manifest', 'check', 'tabs.csv', '--json'], { directory });
    expect(tabs.json()).toEqual(csv.json());
    for (const [file, sentence] of [
      ['wrong.csv', '“balance” is no field of a manifest'],
      ['cut.csv', 'cut.csv, line 3: '],
      ['array.json', "jq -c '.[]' FILE"],
    ] as const) {
      const refused = await causeway(['manifest', 'check', file], { directory });
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
    }
  });

  it('25.7.1 a manifest that is not UTF-8 is refused by its first such line: two accounts never become one', async () => {
    const rows = 'external_account_number,notes\nA-1,0\n\u00C41,1\n\u00D61,2\n';
    const directory = await filesOf({
      'm.csv': Buffer.from(rows, 'latin1'),
      'm.ndjson': Buffer.from('{"external_account_number":"A-1"}\n{"external_account_number":"\u00C41"}\n', 'latin1'),
      'utf16.csv': Buffer.from(`\uFEFF${rows}`, 'utf16le'),
      'good.csv': rows,
      'totals.json': Buffer.from('{"totals":{"accounts":3,"\u00C4":1}}', 'latin1'),
    });
    const check = (...words: string[]) => causeway(['manifest', 'check', ...words], { directory });
    const refused = failure(2, 'm.csv is not UTF-8: line 3');
    expect(await check('m.csv')).toMatchObject(refused);
    expect((await check('m.csv')).stderr).toContain('--encoding windows-1252');
    expect((await check('m.ndjson')).stderr).toContain('m.ndjson is not UTF-8: line 2');
    expect((await check('good.csv', '--totals', 'totals.json')).stderr).toContain('totals.json is not UTF-8.');
    const good = (await check('good.csv', '--json')).json();
    expect(good).toMatchObject({ accounts: 3 });
    expect((await check('utf16.csv', '--json')).json()).toEqual(good);
    expect((await check('m.csv', '--encoding', 'windows-1252', '--json')).json()).toEqual(good);
    expect((await check('m.csv', '--encoding', 'windows-1252')).stderr).toContain(
      'lodge m.csv --supplier CODE --encoding',
    );
  });

  it('25.7.3 lodge continues with what was begun, seals it, and lodges the same file once', async () => {
    const { code, variables, url, apiKey } = await createSupplier();
    const directory = await filesOf({ 'm.ndjson': ndjson([{ totals: TOTALS }, ...LINES]) });
    const counted = { import_supplier: code, source_system: 'Billing', as_of: AS_OF, totals: TOTALS };
    await createRestClient({ url, apiKey }).post('manifests/', counted);

    const given = ['--supplier', code, '--source-system', 'Billing', '--as-of', AS_OF];
    const words = ['manifest', 'lodge', 'm.ndjson', ...given];
    const first = await causeway(words, { directory, variables });
    expect(first).toMatchObject(failure(0, 'Continuing with manifest'));
    const again = await causeway(words, { directory, variables });
    expect(again).toMatchObject(failure(0, 'lodged already'));
    expect(again.stdout).toBe(first.stdout);
    const checked = await causeway(['manifest', 'check', 'm.ndjson', '--json'], { directory });
    const rows = await query(
      `SELECT id, state::text, encode(digest, 'hex') AS digest, accounts FROM manifests WHERE import_supplier_code = $1`,
      [code],
    );
    expect(rows).toEqual([{ id: expect.any(String), state: 'SEALED', digest: checked.json().digest, accounts: 2 }]);

    const [id] = first.stdout.split(' ');
    expect((await causeway(['manifest', 'withdraw', id ?? ''], { variables })).code).toBe(0);
    const listed = await causeway(['manifest', 'list', '--supplier', code, '--json'], { variables });
    expect(listed.json().manifests).toMatchObject([{ id, state: 'WITHDRAWN' }]);
  });

  it('25.7.3 lodge sends nothing of a manifest that contradicts itself, or says not who counted', async () => {
    const { code, variables } = await createSupplier();
    const directory = await filesOf({
      'bad.ndjson': ndjson([{ totals: { ...TOTALS, transfer_balance: '-48.21' } }, ...LINES]),
      'm.ndjson': ndjson(LINES),
    });
    const lodge = (...words: string[]) =>
      causeway(['manifest', 'lodge', ...words, '--supplier', code], { directory, variables });
    expect(await lodge('bad.ndjson', '--source-system', 'Billing', '--as-of', AS_OF)).toMatchObject(
      failure(3, 'totals.transfer_balance'),
    );
    expect(await lodge('m.ndjson')).toMatchObject(failure(2, '--source-system'));
    expect(await query('SELECT 1 FROM manifests WHERE import_supplier_code = $1', [code])).toEqual([]);
  });

  it('25.7.2 build marks a manifest as computed from the book, and names the lines that it leaves out', async () => {
    const { code, variables } = await createSupplier();
    const account = { import_supplier: code, external_account_number: 'A-1', customers: [{ family_name: 'Hartley' }] };
    const charge = { transaction_date: '2026-03-05', type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
    const transactions = [{ ...charge, transaction_id: 'T-1', amount: '76.54' }];
    const book = [
      { account: { ...account, transfer_balance: '-48.20' }, transactions },
      { account: { ...account, external_account_number: 'A-2', customers: [{ family_name: '' }] } },
    ];
    const directory = await filesOf({ 'book.ndjson': ndjson(book) });
    const words = ['manifest', 'build', 'book.ndjson', '--supplier', code, '-o', 'm.ndjson'];
    const built = await causeway(words, { directory, variables });
    expect(built).toMatchObject({ code: 3, stdout: expect.stringContaining('book.ndjson, line 2: refused') });
    const [line = '', totals = ''] = (await readFile(path.join(directory, 'm.ndjson'), 'utf8')).split('\n');
    expect(JSON.parse(line)).toMatchObject({ transactions_sum: '76.54', fingerprint: expect.stringMatching(/^\d+$/) });
    expect(JSON.parse(totals)).toMatchObject({ computed_from_book: true, totals: { transfer_balance: '-48.20' } });
    const lodged = await causeway(['manifest', 'lodge', 'm.ndjson', '--supplier', code, '--json'], {
      directory,
      variables,
    });
    expect(lodged.json()).toMatchObject({ computed_from_book: true, lodged_before_load: true, state: 'SEALED' });
  });
});
