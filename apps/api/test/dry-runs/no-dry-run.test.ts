import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRows } from '../support/all-rows.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const refused = { errors: [{ attr: 'dry_run', code: 'undocumented_field' }] };

test.each(['validateAccount', 'stageAccount', 'accountStatus', 'listAccountImports', 'listPendingImports'] as const)(
  '4.14.5 %s has no dry run: the word is refused for every supplier, over REST and over tRPC',
  async (procedure) => {
    const number = await supplier.stage();
    const inputs = {
      validateAccount: supplier.account(),
      stageAccount: supplier.account(),
      accountStatus: { import_supplier_code: supplier.code, external_account_number: number },
      listAccountImports: { import_supplier_code: supplier.code },
      listPendingImports: { import_supplier_code: supplier.code },
    };
    const input: Record<string, unknown> = inputs[procedure];
    for (const dry_run of [true, false, 'yes', null]) {
      // A GET has it in its query.
      const { status, body } = await (procedure in bodies
        ? sameOverTrpc(supplier, procedure, { input: { ...input, dry_run } })
        : supplier.get(`${paths(number)[procedure]}?dry_run=${dry_run}`));
      expect([status, body]).toMatchObject([400, refused]);
    }
    const overTrpc = supplier.trpc.dataImport[procedure as 'accountStatus'].query as (
      input: unknown,
    ) => Promise<unknown>;
    if (!(procedure in bodies)) {
      await expect(overTrpc({ ...input, dry_run: true })).rejects.toMatchObject({ data: { error: refused } });
    }
  },
);

const bodies: Record<string, true> = { validateAccount: true, stageAccount: true };
const paths = (number: string): Record<string, string> => ({
  accountStatus: `account-transfer-status/${supplier.code}/${number}/`,
  listAccountImports: `all-account-import-processes/${supplier.code}/`,
  listPendingImports: `pending-account-import-processes/${supplier.code}/`,
});

test('4.14.5 a staging that was meant as a dry run stores nothing, whatever else is undocumented', async () => {
  const before = await allRows(service.database);
  const account = supplier.account();
  const strays = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`stray_${index}`, 1]));
  const path = 'account-import-process/create-or-update/';
  const inBody = await supplier.post(path, { ...account, ...strays, dry_run: true });
  const inQuery = await supplier.post(`${path}?dry_run=true`, account);
  for (const { status, body } of [inBody, inQuery]) {
    expect([status, body]).toMatchObject([400, refused]);
    expect(body.errors[0].detail).toBe('This call has no dry run. Nothing was done.');
  }
  const after = await allRows(service.database);
  expect(after.account_imports).toEqual(before.account_imports);
});

test('4.14.5 dry_run in the query of a call that takes it in its body is refused, and nothing is done', async () => {
  const number = await supplier.stage();
  const { reference } = await supplier.importAccount();
  const calls = {
    'account-import-process/process/': supplier.processRequest(number),
    'notes/create/': { ...reference, notes: [{ body: 'x' }] },
  };
  for (const [path, body] of Object.entries(calls)) {
    const answer = await supplier.post(`${path}?dry_run=true`, body);
    expect([path, answer.status, answer.body]).toMatchObject([path, 400, refused]);
    expect(answer.body.errors[0].detail).toBe('`dry_run` belongs in the body of this request. Nothing was done.');
  }
  expect(await service.database.prisma.note.count()).toBe(0);
  expect(await service.database.prisma.account.count()).toBe(1);
});
