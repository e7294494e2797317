import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { historyOf, lineOf, PENCE_A_LINE, readLines, writeBook } from './support/book-of.ts';
import { causeway, failure, openDoor, temporaryFolder } from './support/causeway.ts';
import { createSupplier, query, type TestSupplier } from './support/supplier.ts';

/** An import supplier, a folder, and how to move a book of it there. */
async function start() {
  const [supplier, directory] = await Promise.all([createSupplier(), temporaryFolder()]);
  const { code, team, variables } = supplier;
  const move = (words: string[], running: object = {}) =>
    causeway(['move', ...words, '--supplier', code, '--team', team], { variables, directory, ...running });
  return { supplier, directory, move };
}

/** What the database holds of an import supplier. */
async function stored({ code }: TestSupplier) {
  const [row] = await query(
    `SELECT count(DISTINCT account.account_import_id)::int AS accounts, count(transaction.*)::int AS transactions,
      coalesce(sum(transaction.amount), 0)::text AS amount
    FROM account_imports import
    JOIN accounts account ON account.account_import_id = import.id
    LEFT JOIN transactions transaction ON transaction.account_import_id = import.id
    WHERE import.import_supplier_code = $1`,
    [code],
  );
  return row;
}

const pounds = (pence: number) => (pence / 100).toFixed(2);

describe('causeway move', () => {
  it('25.4.9 refuses a line whose account exists with other data, and names the fields', async () => {
    const { supplier, directory, move } = await start();
    const line = lineOf(supplier.code, 'D-1');
    await move([await writeBook(directory, [line])]);
    const changed = { ...line, account: { ...line.account, transfer_balance: '-58.20', billing_name: 'Other' } };
    const book = await writeBook(directory, [changed], 'changed.ndjson');
    for (const words of [[book, '--dry-run'], [book]]) {
      const ended = await move(words);
      expect(ended.code).toBe(3);
      expect(ended.stdout).toContain('0 ');
      expect(ended.stdout).toMatch(/Different from what is stored:\n +1 {2}differs_from_stored {2}billing_name/);
    }
    const [failed] = await readLines(directory, 'changed.ndjson.causeway/failed.ndjson');
    expect(failed).toMatchObject({ code: 'account_exists_with_other_data' });
    const same = await move([await writeBook(directory, [line], 'same.ndjson')]);
    expect(same.stdout).toContain('unchanged 1');
  });

  it('25.4.10 tells undocumented and doubtful fields, and what is stored with another value, in results and summary', async () => {
    const { supplier, directory, move } = await start();
    const line = lineOf(supplier.code, 'T-1');
    const account = {
      ...line.account,
      unknown_occupier: false,
      life_support: true,
      customers: [{ given_name: 'Ann', family_name: 'nan' }],
    };
    const ended = await move([await writeBook(directory, [{ ...line, account }])]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/Accepted, but look at these:\n +1 {2}undocumented_field {2}life_support/);
    expect(ended.stdout).toContain('1  placeholder  customers.*.family_name');
    const [result] = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(result).toMatchObject({
      outcome: 'created',
      remarks: [
        { code: 'undocumented_field', attr: 'life_support' },
        { code: 'placeholder', attr: 'customers.*.family_name' },
      ],
    });
    const [charge] = line.transactions;
    const other = { external_account_number: 'T-1', transactions: [{ ...charge, amount: 1 }] };
    const again = await move([await writeBook(directory, [other], 'other.ndjson')]);
    expect(again.stdout).toMatch(
      /Different from what is stored:\n +1 {2}existing_data_differs {2}transactions\.\*\.amount/,
    );
  });

  it('25.4.1 tells what was repeated in a line, and as stored what the database has', async () => {
    const { supplier, directory, move } = await start();
    const beside = lineOf(supplier.code, 'R-1');
    const [charge] = beside.transactions;
    const { transactions, statements } = historyOf('R-2');
    const carried = { ...beside.account, external_account_number: 'R-2', statements };
    const lines = [
      { ...beside, transactions: [...beside.transactions, charge, charge] },
      { account: { ...carried, transfer_balance: '48.20', transactions: [...transactions, transactions[0]] } },
    ];
    const ended = await move([await writeBook(directory, lines)]);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const [sent, kept] = [pounds(2 * PENCE_A_LINE + 3 * 7_654), pounds(2 * PENCE_A_LINE)];
    expect(ended.stdout).toContain(`transactions ${sent} sent = ${kept} stored + 229.62 of 3 repeated transactions`);
    expect(await stored(supplier)).toMatchObject({ accounts: 2, transactions: 4, amount: kept });
    const all = {
      ...beside,
      account: { ...beside.account, external_account_number: 'R-3' },
      transactions: [charge, charge],
    };
    const book = await writeBook(directory, [all], 'all.ndjson');
    const added = await move([book, '--no-check-previously-added']);
    expect(added.stdout).toMatch(/transactions 153\.08 sent = 153\.08 stored {3}/);
    expect(await stored(supplier)).toMatchObject({ accounts: 3, transactions: 6 });
    const again = await move([await writeBook(directory, [lines[1] ?? {}], 'again.ndjson')]);
    expect(again.stdout).toContain('not counted: the history carried by 1 account that existed before');
  });

  it('25.4.1 moves instructions of two types, in the account and beside it, and tells what was there', async () => {
    const { supplier, directory, move } = await start();
    const both = [
      { vendor: 'SANDBOX', type: 'CARD', reference: `pm_ok_1${supplier.code}` },
      { vendor: 'SANDBOX', type: 'DIRECT_DEBIT', reference: `pm_ok_2${supplier.code}` },
    ];
    const { account, ...beside } = lineOf(supplier.code, 'P-1');
    const lines = [
      { account: { ...account, payment_instructions: both }, ...beside },
      lineOf(supplier.code, 'P-2', { payment_instructions: both }),
      lineOf(supplier.code, 'P-3', { payment_instruction: both[0] }),
      lineOf(supplier.code, 'P-4', { payment_instructions: [both[0], both[0]] }),
    ];
    const book = await writeBook(directory, lines);
    const validated = await causeway(['validate', book, '--supplier', supplier.code], { directory });
    expect(validated).toMatchObject({ code: 3, stdout: expect.stringContaining('3 accepted, 1 refused') });
    expect((await move([book])).code).toBe(3);
    const [refused] = await readLines(directory, 'book.ndjson.causeway/failed.ndjson');
    expect(refused).toMatchObject({ errors: [{ attr: 'payment_instructions.1', code: 'max_items' }] });
    const more = { external_account_number: 'P-3', payment_instructions: both };
    const other = {
      external_account_number: 'P-1',
      payment_instructions: [both[0], { ...both[1], reference: 'pm_ok' }],
    };
    expect((await move([await writeBook(directory, [more, other], 'more.ndjson')])).code).toBe(3);
    const results = await readLines(directory, 'more.ndjson.causeway/results.ndjson');
    expect(results.find(({ line }) => line === 1)).toMatchObject({
      ...{ outcome: 'updated', steps: { payment_instruction: { added: 1, existing: 1 } } },
    });
    expect(results.find(({ line }) => line === 2)).toMatchObject({
      ...{ code: 'payment_instruction_already_active', errors: [{ attr: 'payment_instructions.1.reference' }] },
    });
    const rows = await query(
      `SELECT external_account_number AS number, array_agg(type ORDER BY type) AS types
       FROM payment_instructions JOIN account_imports ON id = account_import_id
       WHERE import_supplier_code = $1 GROUP BY 1 ORDER BY 1`,
      [supplier.code],
    );
    const types = ['CARD', 'DIRECT_DEBIT'];
    expect(rows).toEqual(['P-1', 'P-2', 'P-3'].map((number) => ({ number, types })));
  });

  it('4.7.9 25.4.1 supersedes an instruction by a line that adds history, and tells that it was added', async () => {
    const { supplier, directory, move } = await start();
    const former = { vendor: 'SANDBOX', type: 'CARD', reference: `pm_ok_1${supplier.code}` };
    const line = lineOf(supplier.code, 'I-1', { payment_instruction: former });
    expect((await move([await writeBook(directory, [line])])).code).toBe(0);
    const next = { ...former, reference: `pm_ok_2${supplier.code}`, supersedes: former.reference };
    const beside = { external_account_number: 'I-1', payment_instruction: next };
    for (const [name, added] of [['next.ndjson', 1] as const, ['again.ndjson', 0] as const]) {
      expect((await move([await writeBook(directory, [beside], name)])).code).toBe(0);
      const [result] = await readLines(directory, `${name}.causeway/results.ndjson`);
      expect(result).toMatchObject({ steps: { payment_instruction: { added, existing: 1 - added } } });
    }
  });

  it('4.6.6 25.4.1 says that it updated an account whose statement got its path', async () => {
    const { supplier, directory, move } = await start();
    const { statements } = historyOf('F-1');
    const line = { ...lineOf(supplier.code, 'F-1'), statements };
    expect((await move([await writeBook(directory, [line])])).code).toBe(0);
    const complete = { ...line, statements: statements.map((one) => ({ ...one, statement_path: 'a/1.pdf' })) };
    const ended = await move([await writeBook(directory, [complete], 'paths.ndjson')]);
    expect(ended.stdout).toContain('updated 1');
    const [result] = await readLines(directory, 'paths.ndjson.causeway/results.ndjson');
    expect(result).toMatchObject({ steps: { statements: { added: 0, existing: statements.length, filled: 1 } } });
  });

  it('2.5.10 25.4.1 leaves transactions of zero out, counts them, and names a refused one where it was sent', async () => {
    const { supplier, directory, move } = await start();
    const { code } = supplier;
    await query(`UPDATE import_suppliers SET zero_amounts = 'OMIT' WHERE code = $1`, [code]);
    const withZero = (number: string, more: object = {}) => {
      const { account, transactions } = lineOf(code, number);
      const [charge, ...others] = transactions;
      const zero = { ...charge, transaction_id: `${number}-0`, amount: 0 };
      return { account, transactions: [zero, { ...charge, ...more }, ...others] };
    };
    const book = await writeBook(directory, [withZero('Z-1'), withZero('Z-2', { amount: '1.001' })]);
    const validated = await causeway(['validate', book, '--supplier', code, '--zero-amounts', 'OMIT'], { directory });
    expect(validated.stdout).toMatch(/transactions of zero, left out +1/);
    const ended = await move([book]);
    expect(ended.stdout).toContain('1 transaction of zero left out');
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(results.find(({ line }) => line === 1)).toMatchObject({
      ...{ outcome: 'created', steps: { transactions: { added: 2, existing: 0, omitted: 1 } } },
    });
    expect(results.find(({ line }) => line === 2)).toMatchObject({
      ...{ outcome: 'refused', errors: [{ attr: 'transactions.1.amount', code: 'max_decimal_places' }] },
    });
    expect(await stored(supplier)).toMatchObject({ accounts: 2, transactions: 2 });
    const built = await causeway(['manifest', 'build', book, '--supplier', code, '-o', 'm.ndjson'], {
      ...{ variables: supplier.variables, directory },
    });
    expect(built.stdout).toContain('1 accounts; 1 transaction of zero left out');
  });

  it('25.4.1 moves the lines of one account one after the other, in the order of the book', async () => {
    const { supplier, directory, move } = await start();
    const accounts = Array.from({ length: 8 }, (_, index) => `T-${index}`);
    const lines = accounts.flatMap((number) => {
      const { account, transactions } = lineOf(supplier.code, number);
      const [charge, payment] = transactions;
      const carrying = { ...account, transactions: [{ ...charge, transaction_id: `${number}-3` }] };
      return [
        { account, transactions: [charge] },
        { external_account_number: number, transactions: [payment] },
        { account: carrying },
      ];
    });
    const ended = await move([await writeBook(directory, lines)]);
    expect(ended, ended.stdout).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('created 8   updated 8   unchanged 8');
    const money = pounds(8 * PENCE_A_LINE);
    expect(ended.stdout).toContain(`transactions ${money} sent = ${money} stored`);
    expect(ended.stdout).toContain('not counted: the history carried by 8 accounts that existed before');
    expect(await stored(supplier)).toMatchObject({
      accounts: 8,
      transactions: 16,
      amount: expect.stringMatching(money),
    });
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    for (const number of accounts) {
      const own = results.filter((result) => result.external_account_number === number).map(({ outcome }) => outcome);
      expect(own).toEqual(['created', 'updated', 'unchanged']);
    }
  });

  it('25.4.1 moves each account with its history, to the penny, and says what happened to each line', async () => {
    const { supplier, directory, move } = await start();
    const lines = Array.from({ length: 12 }, (_, index) => lineOf(supplier.code, `M-${index}`));
    const ended = await move([await writeBook(directory, ['', ...lines]), '--json']);
    expect(ended).toMatchObject({ code: 0 });
    const money = pounds(12 * PENCE_A_LINE);
    expect(ended.json()).toMatchObject({
      books: [{ ended: 'finished', lines: 12, money: { transactions_sent: money, transactions_stored: money } }],
    });
    expect(await stored(supplier)).toMatchObject({
      accounts: 12,
      transactions: 24,
      amount: expect.stringMatching(money),
    });
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(results.map(({ line }) => line).sort((one, other) => one - other)).toEqual(
      lines.map((_, index) => index + 2),
    );
    expect(results[0]).toMatchObject({
      outcome: 'created',
      service_account_number: expect.stringMatching(/^A-/),
      steps: { notes: { added: 1 }, transactions: { added: 2, existing: 0 }, statements: { added: 1 } },
    });

    const again = await move(['book.ndjson', '--json']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.json().books).toMatchObject([{ was_finished: true, lines: 12 }]);
  });

  it('25.4.2 keeps refused lines with their reasons, and moves them once they are fixed in that file', async () => {
    const { supplier, directory, move } = await start();
    const { code } = supplier;
    const wrongAccount = { ...lineOf(code, 'R-2') };
    wrongAccount.account = { ...wrongAccount.account, transfer_balance: 'much' };
    const wrongDate = lineOf(code, 'R-3');
    Object.assign(wrongDate.transactions[0] ?? {}, { transaction_date: '2026-02-30' });
    const differs = lineOf(code, 'R-4', { control: { transactions: 3 } });
    const book = await writeBook(directory, [
      lineOf(code, 'R-1'),
      wrongAccount,
      wrongDate,
      differs,
      '{"account":',
      '{}',
    ]);
    const ended = await move([book]);
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringContaining('1 moved, 5 refused') });
    expect(ended.stdout).toContain('causeway move book.ndjson.causeway/failed.ndjson --supplier');
    const failed = await readLines(directory, 'book.ndjson.causeway/failed.ndjson');
    const codes = failed.sort((one, other) => one.line - other.line).map(({ line, code: kind }) => [line, kind]);
    expect(codes).toEqual([
      [2, 'account_failed_validation'],
      [3, 'request_failed_validation'],
      [4, 'account_failed_validation'],
      [5, 'invalid_json'],
      [6, 'request_failed_validation'],
    ]);
    expect(await stored(supplier)).toMatchObject({ accounts: 2, transactions: 2 });

    const text = await readFile(path.join(directory, 'book.ndjson.causeway/failed.ndjson'), 'utf8');
    const fixed = text
      .replace('"much"', '"0.00"')
      .replace('2026-02-30', '2026-02-28')
      .replace('"transactions":3', '"transactions":2');
    await writeFile(
      path.join(directory, 'fixed.ndjson'),
      fixed
        .split('\n')
        .filter((line) => !/"line":[56]/.test(line))
        .join('\n'),
    );
    const second = await move(['fixed.ndjson', '--json']);
    expect(second).toMatchObject({ code: 0 });
    expect(second.json().books).toMatchObject([{ counts: { created: 2, updated: 1 } }]);
    expect(await stored(supplier)).toMatchObject({ accounts: 4, transactions: 8 });
  });

  it('25.4.2 adds history to an account that exists: updated if any was new, otherwise unchanged', async () => {
    const { supplier, directory, move } = await start();
    const { notes, transactions, statements } = historyOf('H-1');
    const bare = { ...lineOf(supplier.code, 'H-1'), notes: [], transactions: [], statements: [] };
    await move([await writeBook(directory, [bare])]);
    const history = { external_account_number: 'H-1', notes, transactions, statements };
    for (const [name, line, outcome] of [
      ['statements.ndjson', { external_account_number: 'H-1', statements }, 'updated'],
      ['history.ndjson', history, 'updated'],
      ['again.ndjson', history, 'unchanged'],
      ['account.ndjson', lineOf(supplier.code, 'H-1'), 'unchanged'],
    ] as const) {
      await move([await writeBook(directory, [line], name)]);
      const [result] = await readLines(directory, `${name}.causeway/results.ndjson`);
      expect(result, name).toMatchObject({ line: 1, external_account_number: 'H-1', outcome });
    }
    expect(await stored(supplier)).toMatchObject({ accounts: 1, transactions: 2 });
  });

  it('25.4.7 adds a fixed line once even if it does not look for earlier ones, and keeps the flags', async () => {
    const { supplier, directory, move } = await start();
    const instruction = { vendor: 'SANDBOX', type: 'CARD', reference: 'pm_missing_1' };
    const book = await writeBook(directory, [lineOf(supplier.code, 'K-1', { payment_instruction: instruction })]);
    const flags = ['--no-check-previously-added', '--rate', '50'];
    const refused = await move([book, ...flags]);
    expect(refused).toMatchObject({
      code: 3,
      stdout: expect.stringContaining(`causeway move ${book}.causeway/failed`),
    });
    expect(refused.stdout.trimEnd()).toMatch(/ --rate 50 --no-check-previously-added$/);
    const failed = path.join(directory, `${book}.causeway/failed.ndjson`);
    await writeFile(failed, (await readFile(failed, 'utf8')).replace('pm_missing_1', `pm_ok_${supplier.code}`));
    const fixed = await move([failed, ...flags]);
    const money = pounds(PENCE_A_LINE);
    expect(fixed, fixed.stdout).toMatchObject({ code: 0 });
    expect(fixed.stdout).toContain(
      `${money} sent = 0.00 stored + ${money} of 2 repeated transactions, not added again`,
    );
    expect(await stored(supplier)).toMatchObject({ transactions: 2 });
  });

  it('25.4.7 adds a line whose account was refused with it before, once that is fixed', async () => {
    const { supplier, directory, move } = await start();
    const { account, transactions } = lineOf(supplier.code, 'K-2');
    const wrong = { ...account, transfer_balance: 'much' };
    const history = { external_account_number: 'K-2', transactions };
    const flag = '--no-check-previously-added';
    for (const name of ['first.ndjson', 'second.ndjson']) {
      const book = await writeBook(directory, [{ account: wrong }, history], name);
      expect((await move([book, flag])).stdout).toContain('2 refused');
    }
    for (const [index, sent] of [{ account }, history, history].entries()) {
      const fixed = await move([await writeBook(directory, [sent], `fixed-${index}.ndjson`), flag]);
      expect(fixed, fixed.stdout).toMatchObject({ code: 0 });
    }
    expect(await stored(supplier)).toMatchObject({ accounts: 1, transactions: 2 });
  });

  it('25.4.7 adds nothing again that is spelled in another way, or comes with other fields', async () => {
    const { supplier, directory, move } = await start();
    const { account, transactions } = lineOf(supplier.code, 'K-3');
    const [charge] = transactions;
    const flag = '--no-check-previously-added';
    const other = { ...charge, transaction_id: 'K-3-other' };
    const sent = [
      { account, transactions: [{ ...charge, amount: '10.00' }, other] },
      { external_account_number: 'K-3', transactions: [other, { exported_at: 'x', ...charge, amount: 10 }] },
    ];
    const ended = [];
    for (const [index, line] of sent.entries()) {
      ended.push((await move([await writeBook(directory, [line], `spelled-${index}.ndjson`), flag])).code);
    }
    expect(ended).toEqual([0, 3]);
    expect(await stored(supplier)).toMatchObject({ transactions: 2 });
    const [refused] = await readLines(directory, 'spelled-1.ndjson.causeway/failed.ndjson');
    expect(refused).toMatchObject({
      code: 'idempotency_key_reused',
      errors: [{ detail: expect.stringContaining('without --no-check-previously-added') }],
    });
  });

  it('25.4.7 refuses what may be there already once no answer is kept any more', async () => {
    const { supplier, directory, move } = await start();
    const { account, ...history } = lineOf(supplier.code, 'K-1');
    const book = await writeBook(directory, [{ account, ...history }]);
    expect((await move([book, '--no-check-previously-added'])).code).toBe(0);
    const [charge] = history.transactions;
    const other = { external_account_number: 'K-1', transactions: [{ ...charge, amount: '1.00' }] };
    const more = await move([await writeBook(directory, [other], 'more.ndjson'), '--no-check-previously-added']);
    const before = pounds(PENCE_A_LINE);
    expect(more.stdout).toContain(`1.00 sent = 1.00 stored, on top of ${before} that accounts had before`);
    const now = () => new Date(Date.now() + 86_400_000);
    const lines = [
      { account, ...history },
      { ...other, transactions: [charge, charge, charge, charge] },
    ];
    const again = await move([await writeBook(directory, lines, 'again.ndjson'), '--no-check-previously-added'], {
      now,
    });
    expect(again, again.stdout).toMatchObject({ code: 3, stdout: expect.stringContaining('1 moved, 1 refused') });
    const [kept] = await readLines(directory, 'again.ndjson.causeway/failed.ndjson');
    expect(kept).toMatchObject({
      line: 1,
      code: 'control_differs',
      errors: [{ detail: expect.stringContaining('23 hours') }],
    });
    expect(await stored(supplier)).toMatchObject({ accounts: 1, transactions: 2 + 1 + 4 });
  });

  it('25.4.3 resumes where it stopped interrupted, and nothing is done twice', async () => {
    const { supplier, directory, move } = await start();
    const lines = Array.from({ length: 30 }, (_, index) => lineOf(supplier.code, `I-${index}`));
    const book = await writeBook(directory, lines);
    const stopping = new AbortController();
    let created = 0;
    const { url } = await openDoor(supplier.url, ({ path: called }) => {
      if (called.endsWith('/process/')) created += 1;
      if (created === 5) stopping.abort();
      return undefined;
    });
    const words = [book, '--url', url, '--concurrency', '3'];
    const first = await move(words, { stop: stopping.signal });
    expect(first).toMatchObject({ code: 130, stdout: expect.stringContaining('Continue with the same command') });
    const done = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(done.length).toBeLessThan(30);
    // What a killed run had written after its last checkpoint.
    await appendFile(path.join(directory, 'book.ndjson.causeway/results.ndjson'), '{"line":');

    const second = await move([...words, '--json']);
    expect(second.json().books).toMatchObject([{ lines: 30, counts: { created: 30 } }]);
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(results.map(({ line }) => line).sort((one, other) => one - other)).toEqual(
      lines.map((_, index) => index + 1),
    );
    expect(await stored(supplier)).toMatchObject({ accounts: 30, transactions: 60 });
  });

  it('25.4.4 refuses a book that has changed, another team, and a folder that was tampered with', async () => {
    const { supplier, directory, move } = await start();
    const book = await writeBook(directory, [lineOf(supplier.code, 'C-1'), '{}', ' '.repeat(1_100_000)]);
    expect((await move([book])).code).toBe(3);
    const failed = path.join(directory, 'book.ndjson.causeway/failed.ndjson');
    await writeFile(failed, (await readFile(failed, 'utf8')).replace('{}', '{"notes":1}'));
    expect(await move([book])).toMatchObject(failure(2, 'was changed after the last run'));
    const text = await readFile(path.join(directory, book), 'utf8');
    await writeFile(path.join(directory, book), `${text.slice(0, -2)}\n\n`);
    const changed = await move([book]);
    expect(changed).toMatchObject(failure(2, 'book.ndjson has changed since'));
    const team = await causeway(['move', book, '--supplier', supplier.code, '--team', 'Nobody'], {
      variables: supplier.variables,
      directory,
    });
    expect(team.code).toBe(2);
  });

  it('25.4.4 refuses a second run on the same book, and takes over from a dead one', async () => {
    const { supplier, directory, move } = await start();
    const lines = Array.from({ length: 5 }, (_, index) => lineOf(supplier.code, `L-${index}`));
    const book = await writeBook(directory, lines);
    let isHeldUp = true;
    const begun = Promise.withResolvers<void>();
    const { url } = await openDoor(supplier.url, ({ path: called }) => {
      if (!called.endsWith('/process/')) return undefined;
      begun.resolve();
      return isHeldUp ? { status: 503 } : undefined;
    });
    const words = [book, '--url', url];
    const first = move(words);
    await begun.promise;
    const second = await move(words);
    expect(second).toMatchObject(failure(2, 'being moved by another run'));
    isHeldUp = false;
    expect((await first).code).toBe(0);

    const other = await writeBook(directory, [lineOf(supplier.code, 'L-5')], 'other.ndjson');
    await move([other, '--dry-run']);
    await writeFile(path.join(directory, 'other.ndjson.causeway/lock'), '4194305\n');
    expect((await move([other])).code).toBe(0);
    expect(await stored(supplier)).toMatchObject({ accounts: 6 });
  });

  it('25.4.5 creates nothing in a dry run, after which the book is moved', async () => {
    const { supplier, directory, move } = await start();
    const book = await writeBook(directory, [lineOf(supplier.code, 'D-1'), lineOf('ANOTHER', 'D-2')]);
    const tried = await move([book, '--dry-run', '--json']);
    expect(tried).toMatchObject({ code: 3 });
    expect(tried.json().books).toMatchObject([{ counts: { created: 1, refused: 1 } }]);
    expect(await stored(supplier)).toMatchObject({ accounts: 0 });
    expect((await move([book])).code).toBe(3);
    expect(await stored(supplier)).toMatchObject({ accounts: 1, transactions: 2 });
  });

  it('25.4.6 stops for what is no fault of a line: an unknown supplier or team, a pause, a revoked key', async () => {
    const { supplier, directory, move } = await start();
    const { code, team, variables, staff, organisationId } = supplier;
    const book = await writeBook(directory, [lineOf(code, 'F-1')]);
    const run = (words: string[]) => causeway(['move', book, ...words], { variables, directory });
    expect(await run(['--supplier', 'NOBODY', '--team', team])).toMatchObject(failure(2, 'causeway whoami'));
    expect(await run(['--supplier', code, '--team', 'Nobody'])).toMatchObject(failure(2, 'no operations team'));
    await staff.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
    const other = await writeBook(directory, [lineOf(code, 'F-1')], 'other.ndjson');
    expect(await move([other])).toMatchObject(failure(7, 'paused'));
    await staff.importSuppliers.setStatus.mutate({ code, status: 'ONGOING' });
    for (const { id } of (await staff.apiKeys.list.query({ organisation_id: organisationId })) as { id: string }[]) {
      await staff.apiKeys.revoke.mutate({ id });
    }
    expect((await move([other])).code).toBe(4);
    expect(await stored(supplier)).toMatchObject({ accounts: 0 });
  });

  it('25.4.6 stops when too many lines are refused, and continues when more are allowed', async () => {
    const { supplier, directory, move } = await start();
    const wrong = Array.from({ length: 12 }, (_, index) => lineOf('ANOTHER', `X-${index}`));
    const book = await writeBook(directory, [...wrong, lineOf(supplier.code, 'X-12')]);
    const stopped = await move([book, '--max-refused', '3', '--concurrency', '1']);
    expect(stopped).toMatchObject({ code: 5, stdout: expect.stringContaining('higher --max-refused') });
    expect(await stored(supplier)).toMatchObject({ accounts: 0 });
    const ended = await move([book, '--max-refused', '12', '--json']);
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.json().books).toMatchObject([{ counts: { refused: 12, created: 1 } }]);
  });
});
