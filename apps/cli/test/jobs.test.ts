import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { accountLine, bookFiles, refusedLine } from './support/books.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier, query, type TestSupplier } from './support/supplier.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `A-${index + 1}`);

/** A job of 101 accounts that is RUNNING: its second chunk has to wait for minutes. */
async function runningJob(supplier: TestSupplier, words: readonly string[] = []): Promise<string> {
  const { code, team, variables } = supplier;
  const lines = numbered(101).map((number) => accountLine(code, number));
  const directory = await bookFiles({ 'book.ndjson': lines });
  const started = ['upload', 'book.ndjson', '--supplier', code, '--team', team, '--start', '--json'];
  const { id } = (
    await causeway([...started, '--accounts-per-second', '1', ...words], { variables, directory })
  ).json();
  await until(
    async () => (await causeway(['jobs', 'show', id, '--json'], { variables })).json().counts.created === 100,
  );
  return id;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(20);
}

describe('jobs', () => {
  it('25.5.5 that are watched continue after Ctrl-C, and 25.5.6 are paused, listed and cancelled', async () => {
    const supplier = await createSupplier();
    const { code, variables } = supplier;
    const id = await runningJob(supplier);
    const stopping = new AbortController();
    const watching = causeway(['jobs', 'watch', id], { variables, stop: stopping.signal, columns: 80 });
    stopping.abort();
    const watched = await watching;
    expect(watched).toMatchObject({ code: 130, stdout: '' });
    const [, ...shown] = watched.stderr.split('\u001b[J');
    expect(watched.stderr).toContain('100 of 101');
    expect(shown.at(-1)).toMatch(
      new RegExp(`^The job continues without you.\n  Come back: causeway jobs watch ${id}\n`),
    );

    expect(await causeway(['jobs', 'pause', id], { variables })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('PAUSED (asked)'),
    });
    const paused = await causeway(['jobs', 'watch', id, '--json'], { variables });
    expect(paused).toMatchObject({ code: 7 });
    expect(paused.json().counts).toMatchObject({ created: 100, waiting: 1 });

    expect((await causeway(['jobs', 'cancel', id], { variables })).code).toBe(0);
    expect((await causeway(['jobs', 'watch', id], { variables })).code).toBe(7);
    const listed = await causeway(['jobs', 'list', '--supplier', code], { variables });
    expect(listed.stdout).toMatch(new RegExp(`^${id}  \\S+  MOVE  CANCELLED  101  book.ndjson\n$`));
  });

  it('25.5.5 that refuse too many lines pause, and a watch of them ends with 5', async () => {
    const supplier = await createSupplier();
    const { code, team, variables } = supplier;
    const refused = numbered(11).map((number) => refusedLine(code, number));
    const directory = await bookFiles({
      'book.ndjson': [...refused, ...numbered(120).map((number) => accountLine(code, `B-${number}`))],
    });
    const words = ['upload', 'book.ndjson', '--supplier', code, '--team', team, '--start', '--watch'];
    const ended = await causeway([...words, '--max-refused', '10', '--accounts-per-second', '1'], {
      variables,
      directory,
    });
    expect(ended).toMatchObject({ code: 5, stdout: expect.stringContaining('PAUSED (too_many_refused)') });
    expect(ended.stdout).toContain('customers.*.family_name');
  });

  it('25.5.6 that are OPEN uploads are started by their book alone, and cancelled ones are listed with their lines', async () => {
    const { code, team, variables } = await createSupplier();
    const directory = await bookFiles({ 'book.ndjson': [accountLine(code, 'A-1'), accountLine(code, 'A-2')] });
    const words = ['upload', 'book.ndjson', '--supplier', code, '--team', team, '--json'];
    const { id } = (await causeway(words, { variables, directory })).json();
    const started = await causeway(['jobs', 'start', id], { variables });
    expect(started).toMatchObject(failure(2, `upload <book> --job ${id} --start`));
    await causeway(['jobs', 'cancel', id], { variables });
    const listed = await causeway(['jobs', 'list', '--supplier', code, '--json'], { variables });
    expect(listed.json().jobs).toMatchObject([{ id, state: 'CANCELLED', lines: 2 }]);
  });

  it('25.5.7 write their files complete or not at all', async () => {
    const supplier = await createSupplier();
    const { variables } = supplier;
    const id = await runningJob(supplier);
    const directory = await temporaryFolder();
    const rest = await causeway(['jobs', 'unprocessed-rows', id], { variables, directory });
    expect(JSON.parse(rest.stdout)).toMatchObject({ account: { external_account_number: 'A-101' } });
    const words = ['jobs', 'results', id, '--outcome', 'created', '-o'];
    const results = await causeway([...words, 'results.ndjson', '--json'], { variables, directory });
    expect(results.json()).toMatchObject({ file: path.join(directory, 'results.ndjson'), rows: 100 });
    const text = await readFile(path.join(directory, 'results.ndjson'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(100);
    const nowhere = await causeway([...words, 'missing/results.ndjson'], { variables, directory });
    expect(nowhere).toMatchObject(failure(2, 'cannot be written'));
    const folder = await causeway([...words, '.'], { variables, directory });
    expect(folder).toMatchObject(failure(2, 'is a folder'));
    expect(await readdir(directory)).toEqual(['results.ndjson']);
    await causeway(['jobs', 'cancel', id], { variables });
  });

  it('25.5.8 create the staged accounts, after a rehearsal that changes nothing', async () => {
    const { code, team, variables } = await createSupplier();
    const directory = await bookFiles({ 'book.ndjson': [accountLine(code, 'A-1'), accountLine(code, 'A-2')] });
    const cohort = ['--supplier', code, '--team', team];
    const stage = ['upload', 'book.ndjson', '--supplier', code, '--kind', 'STAGE', '--start', '--watch'];
    expect((await causeway(stage, { variables, directory })).code).toBe(0);
    const rehearsed = await causeway(['rehearse', ...cohort], { variables });
    expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringMatching(/would pass +2\n/) });
    expect(
      await query("SELECT 1 FROM account_imports WHERE import_supplier_code = $1 AND state = 'COMPLETED'", [code]),
    ).toEqual([]);
    const none = await causeway(['process', ...cohort, '--watch', '--staged-before', '2026-01-01', '--json'], {
      variables,
    });
    expect(none.json()).toMatchObject({ state: 'FINISHED', lines: 0 });
    const processed = await causeway(['process', ...cohort, '--states', 'staged', '--watch', '--json'], { variables });
    expect(processed.json()).toMatchObject({
      state: 'FINISHED',
      counts: { created: 2 },
      selection: { states: ['STAGED'] },
    });
  });
});
