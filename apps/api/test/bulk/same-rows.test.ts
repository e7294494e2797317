import { accountImportId } from '@causeway/domain';
import { REALISTIC_BOOKS, type RealisticBook, TIME_OF_BOOKS } from '@causeway/realistic-books';
import { expect, test } from 'vitest';
import { rowsOfAccount } from '../support/rows-of-account.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type TestSupplier, until } from '../support/test-service.ts';
import { createJob, ndjson, putPart, readJob } from './bulk-calls.ts';

const HISTORY = ['notes', 'transactions', 'statements', 'payment_instruction', 'payment_instructions'];

const service = await serviceWithLanes(() => new Date(TIME_OF_BOOKS));
service.setTime(TIME_OF_BOOKS);

/** Ids, random numbers, and whose request or job it was. */
const OF_CHANCE = [
  'id',
  'account_import_id',
  'subject_id',
  'service_account_number',
  'staging_order',
  'completion_order',
];
const NAMES = ['import_supplier_code', 'external_account_number', 'operations_team_id'];
const DIFFERENT = [...OF_CHANCE, 'request_id', 'api_key_id', 'created_by_job', ...NAMES, 'payload', 'payload_size'];

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
