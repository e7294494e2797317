import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier({ document_root: 'northwind/2026' });
});
afterAll(() => service.stop());

const NOTES = 'notes/create/';
const noteOf = (document_path: string) => ({ document_paths: [{ document_path }] });

test('2.3 a document path is stored as sent, whatever characters it has', async () => {
  const account = await supplier.importAccount();
  const paths = [
    'a',
    'Müller & Söhne/Rechnung (März) 100%.pdf',
    '%20/%41',
    '/letters/2.pdf',
    '🙂'.repeat(1024),
    '~/$HOME/`id`/*?"<>|',
  ];
  const { status } = await supplier.post(NOTES, { ...account.reference, notes: paths.map(noteOf) });
  expect(status).toBe(201);
  const notes = await service.database.prisma.note.findMany({
    where: { account_import_id: account.id },
    orderBy: { id: 'asc' },
  });
  expect(notes.map(({ document_paths }) => document_paths[0])).toEqual(paths);
});

test('2.3 a document path that leads out of the root or has no meaning there is refused, and nothing is stored', async () => {
  const account = await supplier.importAccount();
  const paths = ['', '../x', 'a/%2E%2E/x', 's3://bucket/x', 'a\\..\\b', 'a\u200b/..\u200b/b', 'x'.repeat(1025)];
  const { status, body } = await supplier.post(NOTES, { ...account.reference, notes: paths.map(noteOf) });
  expect(status).toBe(400);
  const blamed = body.errors.map(({ attr }: { attr: string }) => attr);
  expect(blamed).toEqual(paths.map((_, index) => `notes.${index}.document_paths.0.document_path`));
  expect(await service.database.prisma.note.count({ where: { account_import_id: account.id } })).toBe(0);
});

test('2.3.5 a note or a statement that differs only by the slash before its path is the same, and keeps the path that was sent first', async () => {
  const account = await supplier.importAccount();
  const notes = [noteOf('/letters/1.pdf'), noteOf('letters/1.pdf'), noteOf('/letters/2.pdf')];
  const sent = await supplier.post(NOTES, { ...account.reference, notes });
  expect(sent.body.map(({ status }: { status: string }) => status)).toEqual([
    'NOTE_CREATION_SUCCESS',
    'NOTE_ALREADY_EXISTS',
    'NOTE_CREATION_SUCCESS',
  ]);
  const again = await supplier.post(NOTES, { ...account.reference, notes: [noteOf('letters/2.pdf')] });
  expect(again.body).toEqual([expect.objectContaining({ status: 'NOTE_ALREADY_EXISTS' })]);
  expect(again.body[0].differences).toBeUndefined();

  const statement = {
    ...{ statement_id: 'S-1', number: '1', issued_date: '2026-02-03', gross_amount: 1 },
    ...{ bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', statement_path: '/bills/1.pdf' },
  };
  const statements = [statement, { ...statement, statement_path: 'bills/1.pdf' }];
  const stored = await supplier.post('historical-statements/create/', { ...account.reference, statements });
  expect(stored.body).toEqual({ ...account.reference, statements });
  const repeated = { ...account.reference, statements: statements.slice(1) };
  expect((await supplier.post('historical-statements/create/', repeated)).status).toBe(201);

  const { code, number } = { code: supplier.code, number: account.reference.external_account_number };
  const read = (kind: string) => supplier.get(`accounts/${code}/${number}/${kind}/`);
  expect((await read('statements')).body).toMatchObject([{ statement_path: '/bills/1.pdf' }]);
  const paths = (await read('notes')).body.map(
    (note: ReturnType<typeof noteOf>) => note.document_paths[0]?.document_path,
  );
  expect(paths).toEqual(['/letters/1.pdf', '/letters/2.pdf']);
});

test('2.3 the root of an import supplier is such a path itself; behind the bucket it gives the full location', async () => {
  const { organisationId } = supplier;
  const create = (document_root: string) =>
    service.staff.importSuppliers.create.mutate({
      code: `ROOT-${document_root.length}`,
      name: 'x',
      organisation_id: organisationId,
      document_root,
    });
  await expect(create('../other')).rejects.toMatchObject({
    data: { error: { errors: [{ attr: 'document_root', code: 'invalid_document_path' }] } },
  });
  for (const document_root of ['a/..\u200b/b', '/northwind']) {
    const update = { code: supplier.code, document_root };
    await expect(service.staff.importSuppliers.update.mutate(update)).rejects.toMatchObject({
      data: { error: { errors: [{ attr: 'document_root', code: 'invalid_document_path' }] } },
    });
  }
  expect(await create('northwind/2027')).toMatchObject({
    document_root: 'northwind/2027',
    document_location: 'causeway-documents/northwind/2027/',
  });
});
