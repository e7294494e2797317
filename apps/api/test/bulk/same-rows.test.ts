import { openDatabase } from '@causeway/db';
import { accountImportId } from '@causeway/domain';
import { REALISTIC_BOOKS, type RealisticBook, TIME_OF_BOOKS } from '@causeway/realistic-books';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLanes } from '../../src/bulk/run-lanes.ts';
import { readEnvironment } from '../../src/env.ts';
import { NO_TRACING } from '../../src/observability/tracing.ts';
import { connectPaymentVendors } from '../../src/start/prepare-domain.ts';
import { rowsOfAccount } from '../support/rows-of-account.ts';
import { startTestService, type TestSupplier, until } from '../support/test-service.ts';
import { createJob, ndjson, putPart, readJob } from './bulk-calls.ts';

const HISTORY = ['notes', 'transactions', 'statements', 'payment_instruction', 'payment_instructions'];
const closing: (() => unknown)[] = [];

/** Lanes with the clock of the test. */
async function startLanes(): Promise<void> {
  const environment = readEnvironment({ PAYMENT_VENDORS: 'SANDBOX', BULK_LANES: '2', WEBHOOK_LANES: '0' });
  const database = openDatabase({ url: service.databaseUrl, poolSize: 4 });
  const runner = runLanes(environment, {
    database,
    clock: () => new Date(TIME_OF_BOOKS),
    paymentVendors: await connectPaymentVendors({ environment, closing, tracing: NO_TRACING }),
    secrets: { secret: 'the secret that signs tokens in this test', otherSecret: undefined },
    report: {
      log: () => undefined,
      countLines: () => undefined,
      countChunk: () => undefined,
      countEmails: () => undefined,
      countMessage: () => undefined,
    },
  });
  closing.push(() => database.close(), runner.stop);
}

const service = await startTestService();
service.setTime(TIME_OF_BOOKS);
beforeAll(() => startLanes());
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  await service.stop();
});

/** Ids, random numbers, and whose request it was. */
const OF_CHANCE = [
  'id',
  'account_import_id',
  'subject_id',
  'service_account_number',
  'staging_order',
  'completion_order',
];
const NAMES = ['import_supplier_code', 'external_account_number', 'operations_team_id'];
const DIFFERENT = [...OF_CHANCE, 'request_id', 'api_key_id', ...NAMES, 'payload', 'payload_size'];

async function rowsOf(id: string): Promise<Record<string, unknown[]>> {
  const { audit_events = [], ...rows } = await rowsOfAccount(service.database, id, DIFFERENT);
  const events = audit_events.map((row) => (row.action === 'processed' ? { ...row, detail: undefined } : row));
  return { ...rows, audit_events: events };
}

let accounts = 0;

/** The account of a book, under a number of its own. */
function accountOf({ code }: TestSupplier, { account }: RealisticBook): Record<string, unknown> {
  accounts += 1;
  return { ...account, import_supplier: code, external_account_number: `BOOK-${accounts}` };
}

async function moveByCalls(supplier: TestSupplier, book: RealisticBook): Promise<string> {
  const account = accountOf(supplier, book);
  const number = String(account.external_account_number);
  expect((await supplier.post('account-import-process/create-or-update/', account)).status).toBe(201);
  const processed = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(processed.status).toBe(201);
  return accountImportId(supplier.code, number);
}

async function moveInBulk(supplier: TestSupplier, book: RealisticBook): Promise<string> {
  const whole = accountOf(supplier, book);
  const beside = Object.fromEntries(Object.entries(whole).filter(([name]) => HISTORY.includes(name)));
  const alone = Object.fromEntries(Object.entries(whole).filter(([name]) => !HISTORY.includes(name)));
  const id = await createJob(supplier);
  await putPart(supplier, { id }, ndjson([{ account: alone, ...beside }]));
  const started = await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  expect(started.status).toBe(200);
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  expect(await readJob(supplier, id)).toMatchObject({ counts: { created: 1 } });
  return accountImportId(supplier.code, String(whole.external_account_number));
}

test.each(REALISTIC_BOOKS.map((book) => [book.name, book] as const))(
  '21.8.2 %s has the same rows in every table, moved by calls and in bulk',
  async (_name, book) => {
    const { code: _code, ...settings } = book.settings;
    const byCalls = await rowsOf(await moveByCalls(await service.createSupplier(settings), book));
    const inBulk = await rowsOf(await moveInBulk(await service.createSupplier(settings), book));
    expect(inBulk).toEqual(byCalls);
    expect(inBulk.accounts).toHaveLength(1);
  },
);
