import { describe, expect, it } from 'vitest';
import { lineOf, readLines, writeBook } from './support/book-of.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier, query, type TestSupplier } from './support/supplier.ts';

/** An import supplier that may undo, a folder, and how to call the command line there. */
async function start() {
  const [supplier, directory] = await Promise.all([
    createSupplier({ undo_hours: 24, suppliers_may_undo: true }),
    temporaryFolder(),
  ]);
  const { variables, code, team } = supplier;
  const call = (...words: string[]) => causeway(words, { variables, directory });
  const to = ['--supplier', code, '--team', team];
  return { supplier, directory, call, to };
}

const statesOf = async ({ code }: TestSupplier) => {
  const rows = await query<{ number: string; state: string }>(
    `SELECT external_account_number AS number, state::text FROM account_imports WHERE import_supplier_code = $1`,
    [code],
  );
  return Object.fromEntries(rows.map(({ number, state }) => [number, state]));
};

describe('causeway undo', () => {
  it('25.10.1 takes an account back, and shows before what that would remove', async () => {
    const { supplier, directory, call, to } = await start();
    await call('move', await writeBook(directory, [lineOf(supplier.code, 'U-1')]), ...to);
    const words = ['undo', 'account', 'U-1', '--supplier', supplier.code];
    const tried = await call(...words, '--dry-run');
    expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining('would be taken back')]);
    expect(await statesOf(supplier)).toEqual({ 'U-1': 'COMPLETED' });
    const undone = await call(...words, '--reason', 'Wrong tariff', '--json');
    expect(undone.json()).toMatchObject({ external_account_number: 'U-1', state: 'UNDONE' });
    expect(await statesOf(supplier)).toEqual({ 'U-1': 'UNDONE' });
    const again = await call(...words);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('account_not_created')]);
  });

  it('25.10.2 25.10.3 takes back what a job created; upload of the same book begins a new job and says so', async () => {
    const { supplier, directory, call, to } = await start();
    const book = await writeBook(directory, [lineOf(supplier.code, 'J-1'), lineOf(supplier.code, 'J-2')]);
    const upload = () => call('upload', book, ...to, '--start', '--watch', '--json');
    const { id } = (await upload()).json();
    const tried = await call('undo', 'job', id, '--dry-run', '--watch', '--json');
    expect(tried.json()).toMatchObject({ kind: 'UNDO', run_mode: 'REHEARSAL', counts: { undone: 2 } });
    const undone = await call('undo', 'job', id, '--watch');
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('Removed:')]);
    expect(await statesOf(supplier)).toEqual({ 'J-1': 'UNDONE', 'J-2': 'UNDONE' });
    const moved = await upload();
    expect(moved.json()).toMatchObject({ state: 'FINISHED', counts: { created: 2 } });
    expect(moved.json().id).not.toBe(id);
    const shown = await call('upload', book, ...to, '--start', '--watch');
    expect(shown.stderr).toContain(`Continuing with job ${moved.json().id}`);
  });

  it('25.10.2 prints the figures of accounts that received something since, and takes them', async () => {
    const { supplier, directory, call, to } = await start();
    const book = await writeBook(directory, [lineOf(supplier.code, 'L-1')]);
    const { id } = (await call('upload', book, ...to, '--start', '--watch', '--json')).json();
    const more = await writeBook(
      directory,
      [{ external_account_number: 'L-1', notes: [{ body: 'Later.' }] }],
      'more.ndjson',
    );
    await call('upload', more, ...to, '--start', '--watch');
    const kept = await call('undo', 'job', id, '--watch');
    expect([kept.code, kept.stdout]).toEqual([3, expect.stringContaining('changed_since')]);
    const [, figures = ''] = /--include-later '(.*)'/.exec(kept.stderr) ?? [];
    const wrong = await call('undo', 'job', id, '--include-later', '{"accounts":1}');
    expect(wrong).toMatchObject(failure(2, '--include-later takes the figures'));
    const undone = await call('undo', 'job', id, '--include-later', figures, '--watch', '--json');
    expect(undone.json()).toMatchObject({ counts: { undone: 1, refused: 0 } });
  });

  it('25.10.4 move sends the lines again whose accounts were undone, and no others', async () => {
    const { supplier, directory, call, to } = await start();
    const numbers = ['M-1', 'M-2', 'M-3'];
    const book = await writeBook(
      directory,
      numbers.map((number) => lineOf(supplier.code, number)),
    );
    await call('move', book, ...to);
    await call('undo', 'account', 'M-2', '--supplier', supplier.code);
    const again = await call('move', book, ...to, '--no-check-previously-added');
    expect(again.stderr).toContain('1 line of accounts that were undone since: sent again.');
    expect(again.stdout).toContain('1 moved, 0 refused');
    expect(new Set(Object.values(await statesOf(supplier)))).toEqual(new Set(['COMPLETED']));
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(results.map(({ external_account_number }) => external_account_number).sort()).toEqual([
      'M-1',
      'M-2',
      'M-2',
      'M-3',
    ]);
    const third = await call('move', book, ...to);
    expect(third.stdout).toContain('nothing was done now');
  });

  it('25.10.4 move adds transactions again without looking, once, after an undo', async () => {
    const { supplier, directory, call, to } = await start();
    const book = await writeBook(directory, [lineOf(supplier.code, 'N-1')]);
    const move = () => call('move', book, ...to, '--no-check-previously-added');
    await move();
    const count = async () =>
      query(
        `SELECT count(*)::int AS transactions FROM transactions JOIN account_imports AS import ON import.id = account_import_id
        WHERE import_supplier_code = $1`,
        [supplier.code],
      );
    const before = await count();
    await call('undo', 'account', 'N-1', '--supplier', supplier.code);
    const again = await move();
    expect(again.stdout).toContain('1 moved, 0 refused');
    expect(await count()).toEqual(before);
  });

  it('25.10.5 move --replace replaces an account that exists with other data, with its whole history', async () => {
    const { supplier, directory, call, to } = await start();
    const line = lineOf(supplier.code, 'R-1');
    await call('move', await writeBook(directory, [line]), ...to);
    const numberOf = async () => {
      const [row] = await query<{ number: string; name: string }>(
        `SELECT account.service_account_number AS number, billing_name AS name FROM accounts AS account
        JOIN account_imports AS import ON import.id = account_import_id WHERE import_supplier_code = $1`,
        [supplier.code],
      );
      return row;
    };
    const before = await numberOf();
    const changed = { ...line, account: { ...line.account, billing_name: 'Corrected' } };
    const book = await writeBook(directory, [changed], 'changed.ndjson');
    const tried = await call('move', book, ...to, '--replace', '--dry-run');
    expect([tried.code, tried.stdout]).toEqual([0, expect.stringContaining('1 would be moved, 0 refused')]);
    expect(await numberOf()).toEqual(before);
    const moved = await call('move', book, ...to, '--replace');
    expect([moved.code, moved.stdout]).toEqual([0, expect.stringContaining('1 moved, 0 refused')]);
    const after = await numberOf();
    expect([after?.name, after?.number === before?.number]).toEqual(['Corrected', false]);
    const same = await call('move', await writeBook(directory, [changed], 'same.ndjson'), ...to, '--replace');
    expect(same.stdout).toContain('unchanged 1');
  });
});
