import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  fileOfProgram,
  OF_EVERY_PROCESS,
  type ServiceProcess,
  startServiceProcess,
  TOKEN_SECRET,
} from '@causeway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/env.ts';
import { startService } from '../../src/service.ts';
import { holdAccounts, holdAccountsIn } from '../account-imports/held-accounts.ts';
import { PROCESS } from '../idempotency/marked-calls.ts';
import { obtainToken, startTestService, type TestService, trpcClient, until } from '../support/test-service.ts';

const MAIN = fileOfProgram('apps/api/src/main.ts');
const SHOWN_KEY = /shown this once: (\S+)/;

/** Runs main.ts to its end, which it is expected to find at once. */
async function runMain(variables: Record<string, string>) {
  const env = { ...OF_EVERY_PROCESS, LOG_LEVEL: 'silent', ...variables };
  return promisify(execFile)(process.execPath, [MAIN], { env }).then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

function shownKeys({ errorLines }: ServiceProcess): string[] {
  return errorLines.flatMap((line) => SHOWN_KEY.exec(line)?.[1] ?? []);
}

async function refusesConnections(url: string): Promise<void> {
  const isRefused = () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    );
  await until(isRefused);
}

describe('with the embedded database', () => {
  let dataDirectory: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    dataDirectory = await mkdtemp(path.join(tmpdir(), `causeway-test-${process.pid}-`));
    service = await startServiceProcess({ DATA_DIR: dataDirectory });
  });
  afterAll(async () => {
    await service.terminate();
    await rm(dataDirectory, { recursive: true, force: true });
  });

  test('16.3 keeps its data through kill -9, and shows the staff key at the first start only', async () => {
    const [key = ''] = shownKeys(service);
    const staff = trpcClient(service.url, await obtainToken(service.url, key));
    await staff.organisations.create.mutate({ name: 'Kept' });
    await service.kill();
    await service.restart();
    expect(shownKeys(service)).toEqual([key]);
    const again = trpcClient(service.url, await obtainToken(service.url, key));
    expect(await again.organisations.list.query({})).toMatchObject([{ name: 'Kept' }]);
    expect(service.errorLines.join('\n')).not.toMatch(/error|warning/i);
  });
});

describe('at the start', () => {
  test.concurrent('16.2 says that the port is taken, and ends with 1', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    // Nothing is there: it is not asked before the port is tried.
    const DATABASE_URL = 'postgresql://nobody@127.0.0.1:1/none';
    const sentence = (variable: string) =>
      `Port ${port} is taken: set ${variable} to another one, or to 0 for any. ` +
      `Perhaps another instance has it (lsof -i :${port} shows who), or PORT and METRICS_PORT are the same.\n`;
    for (const variable of ['PORT', 'METRICS_PORT']) {
      const ended = await runMain({ DATABASE_URL, TOKEN_SECRET, PORT: '0', [variable]: String(port) });
      expect(ended).toEqual({ code: 1, stdout: '', stderr: sentence(variable) });
    }
    taken.close();
  });

  test.concurrent.each(['main', 'worker/main', 'migrate/main'] as const)(
    '16.2.6 takes no arguments (%s)',
    async (name) => {
      const run = (word: string) =>
        promisify(execFile)(process.execPath, [fileOfProgram(`apps/api/src/${name}.ts`), word], { env: { PORT: 'x' } });
      await expect(run('--verison')).rejects.toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('--verison'),
      });
      expect(await run('--version')).toMatchObject({
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+ \(\w+\)\n$/),
        stderr: '',
      });
      expect(await run('--help')).toMatchObject({ stdout: expect.stringContaining('Usage: node '), stderr: '' });
    },
  );

  test.concurrent('16.2 says what is wrong with its variables, and ends with 1', async () => {
    expect(await runMain({ PORT: 'x', LOG_LEVEL: 'loud' })).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The environment is not usable:\n {2}PORT must .*\n {2}LOG_LEVEL must .*\n$/),
    });
  });

  test.concurrent.each(['example.invalid', '203.0.113.1'])(
    '16.2 names HOST where %s is no address to listen on',
    async (HOST) => {
      const { url, drop } = await createTestDatabase();
      const started = startService(
        readEnvironment({ DATABASE_URL: url, TOKEN_SECRET, PORT: '0', HOST, LOG_LEVEL: 'silent' }),
      );
      await expect(started).rejects.toThrow(
        new RegExp(`^HOST ${HOST} is no address of this machine \\(E\\w+\\): set HOST`),
      );
      await drop();
    },
  );

  test.concurrent.each(['/proc/x/y', '/dev/null'])(
    '16.2 names DATA_DIR where %s cannot be written to',
    async (DATA_DIR) => {
      const started = startService(readEnvironment({ DATA_DIR, PORT: '0', LOG_LEVEL: 'silent' }));
      await expect(started).rejects.toThrow(new RegExp(`^DATA_DIR ${DATA_DIR} cannot be written to \\(E\\w+\\)`));
    },
  );

  test.concurrent.each(['localhost:1/none', '127.0.0.1:1/none'])(
    '16.2 says that the database at %s cannot be reached, without its password',
    async (place) => {
      const DATABASE_URL = `postgresql://me:CANARY@${place}`;
      const environment = readEnvironment({ DATABASE_URL, TOKEN_SECRET, LOG_LEVEL: 'silent' });
      const error = await startService(environment).catch((error: Error) => error);
      expect((error as Error).message).toMatch(/^The database cannot be reached: .*ECONNREFUSED/);
      expect((error as Error).message).not.toContain('CANARY');
    },
  );
});

describe('at SIGTERM', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
    await holdAccountsIn(service.database);
  });
  afterAll(() => service.stop());

  test.concurrent('16.6 finishes what runs, refuses what is new and ends with 0, its log complete', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const child = await startServiceProcess({ DATABASE_URL: service.databaseUrl });
    const number = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
    const answer = fetch(`${child.url}/v1/data-import/${PROCESS}`, {
      method: 'POST',
      headers: { Authorization: supplier.token, 'Content-Type': 'application/json', 'X-Request-Id': 'last' },
      body: JSON.stringify(supplier.processRequest(number)),
    });
    await hold.waitFor(1);
    const code = child.terminate();
    await refusesConnections(child.url);
    expect(child.exited).toBe(false);
    await hold.release();
    expect((await answer).status).toBe(201);
    expect(await code).toBe(0);
    const last = child.logLines
      .map((line) => JSON.parse(line))
      .filter(({ caller_request_id }) => caller_request_id === 'last');
    expect(last).toMatchObject([{ msg: 'request', status: 201 }]);
    expect(child.errorLines).toHaveLength(1);
  });

  test.concurrent('16.6 ends with 0 also where a request does not end, and leaves no half of it behind', async () => {
    const supplier = await service.createSupplier();
    using hold = await holdAccounts(service.database);
    const child = await startServiceProcess({ DATABASE_URL: service.databaseUrl, DRAIN_TIMEOUT_MS: '100' });
    const number = await supplier.stage({ customers: [{ family_name: hold.familyName }] });
    const answer = fetch(`${child.url}/v1/data-import/${PROCESS}`, {
      method: 'POST',
      headers: { Authorization: supplier.token, 'Content-Type': 'application/json' },
      body: JSON.stringify(supplier.processRequest(number)),
    });
    const [lost] = await Promise.allSettled([answer, hold.waitFor(1).then(() => child.terminate())]);
    expect(lost.status).toBe('rejected');
    expect(child.exited).toBe(true);
    await hold.release();
    // The statement may have counted or not: the next call tells, and there is one account.
    const { body } = await supplier.post(PROCESS, supplier.processRequest(number));
    expect(body.service_account_number).toMatch(/^A-/);
  });
});
