import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Call } from '@causeway/rest-client';
import { canMountDisk, type Decide, fileOfProgram, mountSmallDisk } from '@causeway/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addUnchecked } from '../src/move/add-unchecked.ts';
import { lineOf, PENCE_A_LINE, readLines, writeBook } from './support/book-of.ts';
import { causeway, failure, openDoor, temporaryFolder } from './support/causeway.ts';
import { createSupplier, query, type TestSupplier } from './support/supplier.ts';

/** An import supplier with a book of `lines` accounts, moved through a door with faults. */
async function start(
  lines: number,
  decide: Decide,
  { folder, ...settings }: { folder?: string; process_concurrency_limit?: number } = {},
) {
  const [supplier, directory] = await Promise.all([createSupplier(settings), folder ?? temporaryFolder()]);
  const { code, team } = supplier;
  const book = Array.from({ length: lines }, (_, index) => lineOf(code, `F-${index}`));
  const { url } = await openDoor(supplier.url, decide);
  const variables = { ...supplier.variables, CAUSEWAY_URL: url };
  const words = ['move', await writeBook(directory, book), '--supplier', code, '--team', team];
  const move = (more: string[] = [], columns?: number) =>
    causeway([...words, ...more], { variables, directory, ...(columns !== undefined && { columns }) });
  return { supplier, directory, words, variables, move };
}

/** Transactions of an import supplier, and how many accounts have them. */
async function stored({ code }: TestSupplier) {
  const [row] = await query<{ accounts: number; transactions: number; pence: number }>(
    `SELECT count(DISTINCT import.id)::int AS accounts, count(*)::int AS transactions,
      (sum(transaction.amount) * 100)::int AS pence
    FROM account_imports import JOIN transactions transaction ON transaction.account_import_id = import.id
    WHERE import.import_supplier_code = $1`,
    [code],
  );
  return row;
}

const BUSY = { detail: 'Busy.', code: 'service_unavailable', errors: [], documentation_url: '/docs' };
const EXPIRED = {
  detail: 'Expired.',
  code: 'token_expired',
  errors: [],
  documentation_url: '/docs/errors#token_expired',
};

it('25.4.1 sends transactions once to a service that knows no dry run of them', async () => {
  const sent: unknown[] = [];
  const answer = { request: '', requestId: '', status: 201, body: { results: [] }, isRepeated: false };
  const call = async (_kind: string, { body }: Call) => {
    sent.push(body);
    return answer;
  };
  const caller = { call, limit: 1, trouble: undefined, requests: 0 };
  expect(await addUnchecked(caller, { transactions: [] }, async () => undefined)).toBe(answer);
  expect(sent).toHaveLength(1);
});

describe('causeway move, while the service', () => {
  it('25.4.1 is a page of its maintenance with status 200, says so and moves nothing', async () => {
    const { supplier, move } = await start(3, ({ path }) =>
      path.includes('/process/') ? { status: 200, body: '<h1>We will be back soon</h1>' } : undefined,
    );
    const ended = await move();
    expect(ended.stderr).toContain('answered 200, and not from Causeway');
    expect(await stored(supplier)).toMatchObject({ accounts: 0 });
  });

  it('25.4.7 is such a page where an account is read, adds none of its transactions again', async () => {
    let isAway = false;
    const { supplier, directory, move } = await start(2, ({ path: called }) =>
      isAway && called.includes('/accounts/') ? { status: 200, body: '<h1>We will be back soon</h1>' } : undefined,
    );
    expect((await move()).code).toBe(0);
    isAway = true;
    await rm(path.join(directory, 'book.ndjson.causeway'), { recursive: true });
    const ended = await move(['--no-check-previously-added']);
    expect(ended.stderr).toContain('answered 200, and not from Causeway');
    expect(await stored(supplier)).toMatchObject({ accounts: 2, transactions: 4 });
  });

  it('25.4.7 answers 429, 503, 500 and nothing, moves each line once', async () => {
    const { supplier, directory, move } = await start(20, ({ count }) => {
      if (count % 7 === 3) return { status: 503, body: BUSY };
      if (count % 11 === 4) return { status: 429, body: BUSY };
      if (count % 13 === 5) return { status: 500, body: BUSY };
      if (count === 40) return { status: 401, body: EXPIRED };
      if (count % 17 === 6) return 'cut';
      return count % 19 === 7 ? 'cut after' : undefined;
    });
    const ended = await move(['--json']);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.json().books).toMatchObject([{ counts: { created: 20, refused: 0, failed: 0 } }]);
    expect(await stored(supplier)).toEqual({ accounts: 20, transactions: 40, pence: 20 * PENCE_A_LINE });
    expect(await readLines(directory, 'book.ndjson.causeway/results.ndjson')).toHaveLength(20);
  });

  it('25.4.7 allows three accounts at once, moves all of them', async () => {
    const { supplier, move } = await start(15, () => undefined, { process_concurrency_limit: 3 });
    expect(await move()).toMatchObject({ code: 0, stdout: expect.stringContaining('15 moved, 0 refused') });
    expect(await stored(supplier)).toMatchObject({ accounts: 15, transactions: 30 });
  });

  it('25.4.7 fails at one line alone, continues with the others and keeps that line', async () => {
    const { directory, supplier, move } = await start(8, ({ body }) =>
      body.includes('"F-3"') && body.includes('"notes"') ? { status: 500, body: BUSY } : undefined,
    );
    const ended = await move(['--json', '--concurrency', '2']);
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.json().books).toMatchObject([{ counts: { created: 7, failed: 1 } }]);
    expect(await readLines(directory, 'book.ndjson.causeway/failed.ndjson')).toMatchObject([{ line: 4 }]);
    expect(await stored(supplier)).toMatchObject({ accounts: 7 });
  });

  it('25.4.2 is behind a proxy that takes no body of one account, says so with its setting, and moves the others', async () => {
    const { directory, move } = await start(4, ({ body }) => (body.includes('"F-2"') ? { status: 413 } : undefined));
    const ended = await move();
    expect(ended, ended.stderr).toMatchObject({ code: 3, stdout: expect.stringContaining('3 moved, 1 refused') });
    expect(ended.stdout).toContain('Move these lines as they are');
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    for (const said of [ended.stdout, JSON.stringify(results)]) {
      expect(said).toContain('status_413');
      expect(said).toContain('a proxy in front of it takes no body of this size');
      for (const name of ['client_max_body_size', 'request_body max_size']) expect(said).toContain(name);
    }
  });

  it('25.4.2 is behind a proxy that answers in its place, says that nothing has to be fixed in these lines', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const { move } = await start(4, ({ body }) => {
      if (body.includes('"F-1"') && body.includes('"notes"')) return { status: 500 };
      return body.includes('"F-2"') ? { status: 400, body: { detail: 'No such account.' } } : undefined;
    });
    const ended = await move();
    expect(ended, ended.stderr).toMatchObject({ code: 3, stdout: expect.stringContaining('2 moved, 2 refused') });
    expect(ended.stdout).toContain('status_500 is not from Causeway');
    expect(ended.stdout).toContain('Fix the other lines in place, then move them all:');
  });

  it('25.4.6 is behind a proxy that answers in words of its own, ends at once', async () => {
    const { directory, move } = await start(4, ({ body }) =>
      body.includes('"F-2"') ? { status: 400, body: '<h1>Bad Request</h1>' } : undefined,
    );
    expect(await move()).toMatchObject(failure(1, 'answered 400, and not from Causeway'));
    expect(await readLines(directory, 'book.ndjson.causeway/failed.ndjson')).toEqual([]);
  });

  it('25.4.8 is away, ends with 6 when its patience ends, and continues later', async () => {
    let isAway = false;
    const { supplier, move } = await start(20, ({ path: called, count }) => {
      isAway = isAway || (count === 50 && !called.includes('graphql'));
      return isAway ? 'cut' : undefined;
    });
    const away = await move(['--patience', '1s'], 100);
    // The whole book was read.
    expect(away.stderr).not.toContain('100.0 %');
    expect(away).toMatchObject(failure(6, 'out of reach'));
    expect(away.stderr).toContain('the same command');
    isAway = false;
    const after = await move(['--json']);
    expect(after).toMatchObject({ code: 0 });
    expect(after.json().books).toMatchObject([{ lines: 20, counts: { refused: 0, failed: 0 } }]);
    expect(await stored(supplier)).toEqual({ accounts: 20, transactions: 40, pence: 20 * PENCE_A_LINE });
  });

  it('25.4.7 loses answers, adds transactions once even if it does not look for earlier ones', async () => {
    let transactions = 0;
    const { supplier, move } = await start(6, ({ path: called }) => {
      if (!called.includes('/transactions/create/')) return undefined;
      transactions += 1;
      return transactions % 2 === 1 ? 'cut after' : undefined;
    });
    expect((await move(['--no-check-previously-added', '--concurrency', '1'])).code).toBe(0);
    expect(await stored(supplier)).toEqual({ accounts: 6, transactions: 12, pence: 6 * PENCE_A_LINE });
  });

  it('25.4.3 is called by a process that is killed, has each line moved once by the next one', async () => {
    let requests = 0;
    const reached = Promise.withResolvers<void>();
    const { supplier, directory, words, variables, move } = await start(20, () => {
      requests += 1;
      if (requests === 50) reached.resolve();
      return undefined;
    });
    const program = fileOfProgram('apps/cli/src/main.ts');
    const killed = spawn(process.execPath, [program, ...words], { cwd: directory, env: variables, stdio: 'ignore' });
    await reached.promise;
    const ended = once(killed, 'exit');
    killed.kill('SIGKILL');
    await ended;
    const after = await move(['--json']);
    expect(after).toMatchObject({ code: 0 });
    expect(after.json().books).toMatchObject([{ lines: 20, counts: { refused: 0, failed: 0 } }]);
    expect(await stored(supplier)).toEqual({ accounts: 20, transactions: 40, pence: 20 * PENCE_A_LINE });
    const results = await readLines(directory, 'book.ndjson.causeway/results.ndjson');
    expect(new Set(results.map(({ line }) => line)).size).toBe(20);
    expect(results).toHaveLength(20);
  });
});

it('25.4.4 says what to do where the folder cannot be written', async () => {
  const { directory, move } = await start(1, () => undefined);
  await writeFile(path.join(directory, 'book.ndjson.causeway'), 'in its place is a file');
  expect(await move()).toMatchObject(failure(2, 'cannot be written'));
});

it.skipIf(!canMountDisk())('25.4.4 says what to do where the disk is full, and continues once it is not', async () => {
  const disk = mountSmallDisk();
  onTestFinished(() => disk.unmount());
  const decide: Decide = ({ count }) => {
    if (count === 40) disk.fill();
    return undefined;
  };
  const { supplier, directory, move } = await start(20, decide, { folder: disk.folder });
  const full = { code: 2, stderr: expect.stringMatching(/no space left.*: free some, and run the same command again/) };
  expect(await move()).toMatchObject(full);
  expect(await move()).toMatchObject(full);
  await disk.empty();
  const after = await move(['--json']);
  expect(after).toMatchObject({ code: 0 });
  expect(after.json().books).toMatchObject([{ lines: 20, counts: { refused: 0, failed: 0 } }]);
  expect(await stored(supplier)).toEqual({ accounts: 20, transactions: 40, pence: 20 * PENCE_A_LINE });
  expect(await readLines(directory, 'book.ndjson.causeway/results.ndjson')).toHaveLength(20);
});
