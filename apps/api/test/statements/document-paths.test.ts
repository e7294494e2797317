import path from 'node:path';
import fc from 'fast-check';
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
    'letters/2025/NW-0001482.pdf',
    'Müller & Söhne/Rechnung (März) 100%.pdf',
    'a b/ c /.hidden',
    '...',
    'a../..b/c..d',
    '%20/%41',
    '日本語/🙂.pdf',
    '/letters/2025/NW-0001483.pdf',
    'x'.repeat(1024),
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

test('2.3 a document path that leaves its root or has no meaning there is refused, and nothing is stored', async () => {
  const account = await supplier.importAccount();
  const paths = [
    '',
    '//etc/passwd',
    '../x',
    'a/../../x',
    'a/..',
    '.',
    './a',
    'a/./b',
    'a//b',
    'a/',
    '\\\\server\\share',
    'a\\..\\b',
    '%2e%2e/x',
    'a/%2E%2E/x',
    '..%2fx',
    '..%2Fx',
    's3://bucket/x',
    'file:x',
    'C:/x',
    'a\nb',
    'a\u007fb',
    'a/\u202e/b',
    'a\u200b/..\u200b/b',
    'a/.\u00ad./b',
    'a/ /b',
    'x'.repeat(1025),
  ];
  const { status, body } = await supplier.post(NOTES, { ...account.reference, notes: paths.map(noteOf) });
  expect(status).toBe(400);
  const blamed = body.errors.map(({ attr }: { attr: string }) => attr);
  expect(blamed).toEqual(paths.map((_, index) => `notes.${index}.document_paths.0.document_path`));
  expect(await service.database.prisma.note.count({ where: { account_import_id: account.id } })).toBe(0);
});

test('2.3 no document path that is taken leads out of the root, however it is read', async () => {
  const account = await supplier.importAccount();
  const part = fc.constantFrom('..', '.', '', 'a', '%2e', '%2E%2e', '%252e', '%2f', '\\', 'é', ' ', '...', 'c:', '~');
  const separator = fc.constantFrom('/', '//', '\\', '%2F', '');
  const anyPath = fc
    .array(fc.tuple(part, separator), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.flat().join(''));
  const candidates = fc.sample(fc.uniqueArray(anyPath, { minLength: 400, maxLength: 400 }), 1)[0] ?? [];
  const request = (paths: string[]) => ({ ...account.reference, notes: paths.map(noteOf) });
  // The answer names a hundred problems at most, so what it refuses is found in rounds.
  let taken = candidates;
  for (let answer = await supplier.post(NOTES, request(taken)); answer.status !== 201; ) {
    const refused = new Set(answer.body.errors.map(({ attr }: { attr: string }) => Number(attr.split('.')[1])));
    taken = taken.filter((_, index) => !refused.has(index));
    answer = await supplier.post(NOTES, request(taken));
  }
  expect(taken.length).toBeGreaterThan(0);
  const root = '/causeway-documents/northwind/2026';
  for (const document of taken) {
    for (const reading of [document, decodeURIComponent(document.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))]) {
      expect(path.posix.join(root, reading).startsWith(`${root}/`)).toBe(true);
      expect(path.win32.join(root, reading).startsWith(path.win32.join(root, 'x').slice(0, -1))).toBe(true);
    }
  }
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
