import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { zstdDecompressSync } from 'node:zlib';
import { fileOfProgram, hasNginx, startNginx } from '@causeway/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountLine, bookFiles, refusedLine } from './support/books.ts';
import { causeway, failure, openDoor } from './support/causeway.ts';
import { createSupplier, query, type TestSupplier } from './support/supplier.ts';

function upload({ code, team, variables }: TestSupplier, directory: string, words: readonly string[]) {
  return causeway(['upload', '--supplier', code, '--team', team, ...words], { variables, directory });
}

const jobsOf = ({ code }: TestSupplier) =>
  query<{ id: string; state: string; label: string; run: number; lines: number }>(
    'SELECT id, state, label, run, lines FROM bulk_jobs WHERE import_supplier_code = $1 ORDER BY creation_order',
    [code],
  );
const partsOf = (supplier: TestSupplier) =>
  query<{ number: number; lines: number; digest: string }>(
    `SELECT part.number, part.lines, encode(part.sha256, 'hex') AS digest
     FROM bulk_parts AS part JOIN bulk_jobs AS job ON job.id = part.job_id
     WHERE job.import_supplier_code = $1 ORDER BY part.number`,
    [supplier.code],
  );

/** The lines that the service has stored of a supplier's only job of a label. */
async function storedText(supplier: TestSupplier, label = 'book.ndjson'): Promise<string> {
  const bodies = await query<{ body: Buffer }>(
    `SELECT body FROM bulk_bodies AS body JOIN bulk_jobs AS job ON job.id = body.job_id
     WHERE job.import_supplier_code = $1 AND job.label = $2 ORDER BY body.number`,
    [supplier.code, label],
  );
  return bodies.map(({ body }) => zstdDecompressSync(body).toString()).join('');
}

const history = (count: number) =>
  Array.from({ length: count }, (_, index) => `{"external_account_number":"A-${index + 1}"}`);

describe('an upload', () => {
  it('25.5.1 moves a book, and its failed rows are a book once they are corrected', async () => {
    const supplier = await createSupplier();
    const lines = [accountLine(supplier.code, 'A-1'), '', refusedLine(supplier.code, 'A-2')];
    const directory = await bookFiles({ 'book.ndjson': lines });
    const moved = await upload(supplier, directory, ['book.ndjson', '--start', '--watch', '--json']);
    expect(moved.code).toBe(3);
    const job = moved.json();
    expect(job).toMatchObject({ state: 'FINISHED', lines: 2, counts: { created: 1, refused: 1 } });
    expect(job.sums.transactions.CHARGE).toEqual({ count: 1, amount: '76.54' });

    const { variables } = supplier;
    const failed = await causeway(['jobs', 'failed-rows', job.id, '-o', 'failed.ndjson'], { variables, directory });
    expect(failed).toMatchObject({ code: 0, stdout: '', stderr: 'Rows in failed.ndjson: 1.\n' });
    const file = path.join(directory, 'failed.ndjson');
    const row = await readFile(file, 'utf8');
    expect(JSON.parse(row)).toMatchObject({ line: 3, data: { account: { external_account_number: 'A-2' } } });
    await appendFile(
      path.join(directory, 'corrected.ndjson'),
      row.replace('"family_name":""', '"family_name":"Okafor"'),
    );

    const again = await upload(supplier, directory, ['corrected.ndjson', '--start', '--watch']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('created  1') });
    const accounts = await query<{ external_account_number: string }>(
      "SELECT external_account_number FROM account_imports WHERE import_supplier_code = $1 AND state = 'COMPLETED' ORDER BY 1",
      [supplier.code],
    );
    expect(accounts.map((account) => account.external_account_number)).toEqual(['A-1', 'A-2']);
  });

  it('25.5.2 that is killed continues with the same command, and the service has each line once', async () => {
    const supplier = await createSupplier();
    const lines = history(22_000);
    const directory = await bookFiles({ 'book.ndjson': lines });
    const words = ['upload', 'book.ndjson', '--supplier', supplier.code, '--team', supplier.team];
    const child = spawn(process.execPath, [fileOfProgram('apps/cli/src/main.ts'), ...words, '--json-lines'], {
      cwd: directory,
      env: { ...supplier.variables, PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for await (const line of createInterface({ input: child.stdout })) {
      if (JSON.parse(line).event === 'part') child.kill('SIGKILL');
    }
    const before = await partsOf(supplier);
    expect(before.length).toBeGreaterThan(0);

    const again = await upload(supplier, directory, ['book.ndjson', '--json-lines']);
    expect(again.code).toBe(0);
    expect(again.jsonLines()[0]).toMatchObject({ event: 'job', parts: expect.any(Number), state: 'OPEN' });
    expect((await partsOf(supplier)).map((part) => part.lines)).toEqual([5_000, 5_000, 5_000, 5_000, 2_000]);
    expect(await storedText(supplier)).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(await jobsOf(supplier)).toHaveLength(1);
  });

  it('25.5.2 that was started is not uploaded twice: the same command says what it came to', async () => {
    const supplier = await createSupplier();
    const directory = await bookFiles({ 'book.ndjson': [accountLine(supplier.code, 'A-1')] });
    const words = ['book.ndjson', '--start', '--watch'];
    const [first, second] = [await upload(supplier, directory, words), await upload(supplier, directory, words)];
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(second.stderr).toContain('which is FINISHED');
    expect(second.stdout).toBe(first.stdout);
    expect(await jobsOf(supplier)).toMatchObject([{ label: 'book.ndjson', run: 1 }]);
    const third = await upload(supplier, directory, [...words, '--new-job', '--json']);
    expect(third.json()).toMatchObject({ state: 'FINISHED', counts: { created: 0, unchanged: 1 } });
    expect(await jobsOf(supplier)).toHaveLength(2);
  });

  it('25.5.2 that was rehearsed is started by the same command with --start, and its report is for a manager', async () => {
    const supplier = await createSupplier();
    const lines = [accountLine(supplier.code, 'A-1'), refusedLine(supplier.code, 'A-2')];
    const directory = await bookFiles({ 'book.ndjson': lines });
    const rehearsed = await upload(supplier, directory, ['book.ndjson', '--rehearse', '--watch']);
    expect(rehearsed.code).toBe(3);
    expect(rehearsed.stdout).toContain('Nothing was changed.');
    expect(rehearsed.stdout).toMatch(/would pass +1\n +would be refused +1\n/);
    expect(rehearsed.stdout).toMatch(/transactions, CHARGE +1 +76.54\n/);
    expect(await query('SELECT 1 FROM account_imports WHERE import_supplier_code = $1', [supplier.code])).toEqual([]);
    const started = await upload(supplier, directory, ['book.ndjson', '--start', '--watch', '--json']);
    expect(started.json()).toMatchObject({ state: 'FINISHED', run: 2, counts: { created: 1, refused: 1 } });
    expect(await jobsOf(supplier)).toHaveLength(1);
  });

  it('25.5.2 with --start is no rehearsal: while one is running it ends with 2', async () => {
    const supplier = await createSupplier();
    const lines = Array.from({ length: 101 }, (_, index) => accountLine(supplier.code, `A-${index}`));
    const directory = await bookFiles({ 'book.ndjson': lines });
    // The second chunk has to wait for minutes.
    const rehearsed = await upload(supplier, directory, ['book.ndjson', '--rehearse', '--accounts-per-second', '1']);
    expect(rehearsed.code).toBe(0);
    const started = await upload(supplier, directory, ['book.ndjson', '--start', '--watch']);
    expect(started).toMatchObject(failure(2, 'is being rehearsed'));
    expect(await jobsOf(supplier)).toMatchObject([{ run: 1 }]);
  });

  it.each(['parts/1/', 'start/'])('25.5.9 beside another one of its book says who has it (%s)', async (place) => {
    const supplier = await createSupplier();
    const directory = await bookFiles({ 'book.ndjson': [accountLine(supplier.code, 'A-1')] });
    const arrived = Promise.withResolvers<void>();
    let isTaken = false;
    const { url } = await openDoor(supplier.url, ({ path: asked }) => {
      if (isTaken || !asked.endsWith(place)) return undefined;
      arrived.resolve();
      return { status: 503 };
    });
    const variables = { ...supplier.variables, CAUSEWAY_URL: url };
    const words = ['book.ndjson', '--start', '--watch'];
    const slow = upload({ ...supplier, variables }, directory, words);
    await arrived.promise;
    expect(await upload(supplier, directory, words)).toMatchObject({ code: 0 });
    isTaken = true;
    const [job] = await jobsOf(supplier);
    const ended = await slow;
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(
      `book.ndjson is being uploaded by another run too, which has started job ${job?.id}.`,
    );
    expect(ended.stderr).toContain(`causeway jobs watch ${job?.id}`);
    expect(await jobsOf(supplier)).toHaveLength(1);
  });

  /** Lines that cannot be packed: 5 kB each. */
  const dense = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({ external_account_number: `D-${index}`, noise: randomBytes(3_750).toString('base64') }),
    );

  it('25.5.10 through a proxy that takes smaller bodies continues with smaller parts, and again with the same command', async () => {
    const supplier = await createSupplier();
    const lines = dense(300);
    const directory = await bookFiles({ 'book.ndjson': lines });
    let room = 3;
    const { url } = await openDoor(supplier.url, ({ path: asked, body }) => {
      if (!asked.includes('/parts/') || body === '') return undefined;
      if (body.length > 300_000) return { status: 413 };
      room -= 1;
      return room < 0 ? { status: 400, body: {} } : undefined;
    });
    const door = { ...supplier, variables: { ...supplier.variables, CAUSEWAY_URL: url } };
    const cut = await upload(door, directory, ['book.ndjson']);
    expect(cut).toMatchObject({ code: 1 });
    expect(cut.stderr).toContain(
      'a proxy in front of it takes no body of this size. Continuing with parts of half the size',
    );
    const before = await partsOf(supplier);
    expect(before.length).toBeGreaterThan(0);
    room = 1_000;
    expect(await upload(door, directory, ['book.ndjson'])).toMatchObject({ code: 0 });
    expect(await storedText(supplier)).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(await jobsOf(supplier)).toHaveLength(1);
  });

  /** Lines of which the later ones pack worse, cut where a proxy takes 300 kB. */
  async function behindProxy(names: readonly string[], onRefused = () => {}) {
    const supplier = await createSupplier();
    const book = [...history(5_000), ...dense(300)];
    const directory = await bookFiles(Object.fromEntries(names.map((name) => [name, book])));
    const refused: number[] = [];
    const { url } = await openDoor(supplier.url, ({ path: asked, body }) => {
      if (!asked.includes('/parts/') || body.length <= 300_000) return undefined;
      refused.push(body.length);
      if (refused.length === 1) onRefused();
      return { status: 413 };
    });
    const text = book.map((line) => `${line}\n`).join('');
    const door = { ...supplier, variables: { ...supplier.variables, CAUSEWAY_URL: url } };
    return { supplier, door, directory, refused, text };
  }

  it('25.5.10 has one job for each book, and no second part is too large for what is known', async () => {
    const names = ['a.ndjson', 'b.ndjson'];
    const { supplier, door, directory, refused, text } = await behindProxy(names);
    expect(await upload(door, directory, names)).toMatchObject({ code: 0 });
    expect(new Set(refused).size).toBe(refused.length);
    expect(await jobsOf(supplier)).toMatchObject(names.map((label) => ({ label, state: 'OPEN' })));
    expect(await storedText(supplier, 'a.ndjson')).toBe(text);
    expect(await storedText(supplier, 'b.ndjson')).toBe(text);
    expect(await upload(door, directory, names)).toMatchObject({ code: 0 });
    expect(await jobsOf(supplier)).toHaveLength(2);
  });

  it('25.5.10 takes nothing from another run of the same book', async () => {
    let other: ReturnType<typeof upload> | undefined;
    const { supplier, door, directory, text } = await behindProxy(['book.ndjson'], () => {
      other = upload(door, directory, ['book.ndjson']);
    });
    const one = await upload(door, directory, ['book.ndjson']);
    expect([one.code, (await other)?.code]).toEqual([0, 0]);
    expect(await jobsOf(supplier)).toMatchObject([{ state: 'OPEN' }]);
    expect(await storedText(supplier)).toBe(text);
  });

  it('25.5.10 says which setting of the proxy is too small where no part is small enough', async () => {
    const supplier = await createSupplier();
    const directory = await bookFiles({ 'book.ndjson': dense(2) });
    const { url } = await openDoor(supplier.url, ({ path: asked, body }) =>
      asked.includes('/parts/') && body !== '' ? { status: 413 } : undefined,
    );
    const door = { ...supplier, variables: { ...supplier.variables, CAUSEWAY_URL: url } };
    const ended = await upload(door, directory, ['book.ndjson']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    for (const name of ['client_max_body_size', 'request_body max_size']) expect(ended.stderr).toContain(name);
  });

  it.skipIf(!hasNginx)('25.5.10 through nginx as it is installed, and as deploy/nginx.conf sets it', async () => {
    const supplier = await createSupplier();
    const lines = dense(300);
    const directory = await bookFiles({ 'book.ndjson': lines });
    for (const [settings, parts] of [
      ['default', expect.anything()],
      ['deploy', 1],
    ] as const) {
      const nginx = await startNginx(supplier.url, settings);
      onTestFinished(() => nginx.stop());
      const door = { ...supplier, variables: { ...supplier.variables, CAUSEWAY_URL: nginx.url } };
      const ended = await upload(door, directory, ['book.ndjson', '--label', settings, '--json']);
      expect({ settings, ...ended }).toMatchObject({ code: 0 });
      const [stored] = await query<{ lines: number; parts: number }>(
        `SELECT sum(part.lines)::int AS lines, count(*)::int AS parts
        FROM bulk_parts AS part JOIN bulk_jobs AS job ON job.id = part.job_id
        WHERE job.import_supplier_code = $1 AND job.label = $2`,
        [supplier.code, settings],
      );
      expect(stored).toEqual({ lines: 300, parts });
    }
  });

  it('25.5.3 of a book that has changed, or with other options, changes nothing', async () => {
    const supplier = await createSupplier();
    const lines = history(5_003);
    const directory = await bookFiles({ 'book.ndjson': lines });
    expect((await upload(supplier, directory, ['book.ndjson'])).code).toBe(0);
    const parts = await partsOf(supplier);

    const other = await upload(supplier, directory, ['book.ndjson', '--max-refused', '7', '--start']);
    expect(other).toMatchObject(failure(2, 'has max_refused null, and you asked for 7'));
    await appendFile(path.join(directory, 'book.ndjson'), '{"external_account_number":"B-1"}\n');
    const changed = await upload(supplier, directory, ['book.ndjson', '--start']);
    expect(changed).toMatchObject(failure(2, 'has another part 2 than this book'));
    expect(await partsOf(supplier)).toEqual(parts);
    expect(await jobsOf(supplier)).toMatchObject([{ state: 'OPEN' }]);
  });

  it('25.5.4 of several books says what the earlier ones came to when a later one fails', async () => {
    const supplier = await createSupplier();
    const directory = await bookFiles({
      'a.ndjson': [accountLine(supplier.code, 'A-1')],
      'b.ndjson': [],
      'c.ndjson': [],
    });
    const books = ['a.ndjson', 'b.ndjson', 'c.ndjson', '--start', '--watch'];
    const ended = await upload(supplier, directory, books);
    expect(ended).toMatchObject({ code: 2, stdout: expect.stringMatching(/^a.ndjson\n.*FINISHED/) });
    expect(ended.stderr).toContain('b.ndjson: b.ndjson has no lines.\n  Not begun: c.ndjson\n');
    const missing = await upload(supplier, directory, ['a.ndjson', 'd.ndjson', '--new-job', '--start']);
    expect(missing).toMatchObject(failure(2, 'd.ndjson cannot be read'));
    expect(await jobsOf(supplier)).toHaveLength(1);
  });
});
