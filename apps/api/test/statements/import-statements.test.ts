import { expect, test } from 'vitest';
import { statement as billed, PROCESS } from '../bundles/support.ts';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { type ImportedAccount, restCalls, serviceOfFile } from '../support/test-service.ts';

const NOW = '2026-04-20T11:30:00Z';

const service = await serviceOfFile();
service.setTime(NOW);
const supplier = await service.createSupplier();

const statement = (statement_id: string, overrides: Record<string, unknown> = {}) => ({
  ...billed(statement_id),
  number: '1482-12',
  statement_path: 'statements/2026/01/NW-0001482.pdf',
  ...overrides,
});

function importStatements({ reference }: Pick<ImportedAccount, 'reference'>, ...statements: unknown[]) {
  return supplier.post('historical-statements/create/', { ...reference, statements });
}

async function storedStatements({ id }: ImportedAccount) {
  const text = 'SELECT *, gross_amount::text FROM statements WHERE account_import_id = $1 ORDER BY statement_id';
  const rows = await service.database.pool.query(text, [id]);
  return rows.rows;
}

test('4.6 answers 201 with the validated data, and stores it with an audit row', async () => {
  const account = await supplier.importAccount();
  const { statement_path: _path, ...withoutPath } = statement('ST-2', { gross_amount: -0.1 });
  const request = { ...account.reference, statements: [statement('ST-1'), withoutPath] };
  const { status, body } = await supplier.post('historical-statements/create/', request);
  expect(status).toBe(201);
  expect(body).toEqual(request);
  const stored = await service.database.prisma.statement.findMany({
    where: { account_import_id: account.id },
    orderBy: { statement_id: 'asc' },
  });
  expect(stored).toMatchObject([
    {
      statement_id: 'ST-1',
      bill_period_from_date: new Date('2026-01-01'),
      bill_period_to_date: new Date('2026-01-31'),
      issued_date: new Date('2026-02-03'),
      number: '1482-12',
      statement_path: 'statements/2026/01/NW-0001482.pdf',
      created_at: new Date(NOW),
    },
    { statement_id: 'ST-2', statement_path: null },
  ]);
  const where = { subject_id: account.id, action: 'statements_imported' };
  expect(await service.database.prisma.auditEvent.findMany({ where })).toMatchObject([
    { actor: 'supplier', detail: { statements: 2 } },
  ]);
});

test.each([
  [-99_999_999_999.99, '-99999999999.99'],
  ['-0', '0.00'],
  ['99999999999.99', '99999999999.99'],
])('2.6 gross_amount %s is stored exactly, as %s', async (gross_amount, text) => {
  const account = await supplier.importAccount();
  const { status, body } = await importStatements(account, statement('ST-1', { gross_amount }));
  expect([status, body.statements[0].gross_amount]).toEqual([201, gross_amount]);
  expect(await storedStatements(account)).toMatchObject([{ gross_amount: text }]);
});

test('2.6.1 2.6.2 a statement of which only its id and period are known is stored, read back and counted without the rest', async () => {
  const account = await supplier.importAccount();
  const { statement_id, bill_period_from_date, bill_period_to_date } = statement('ST-1');
  const bare = { statement_id, bill_period_from_date, bill_period_to_date };
  const sent = await importStatements(account, bare, statement('ST-2'));
  expect([sent.status, sent.body.statements]).toEqual([201, [bare, statement('ST-2')]]);
  expect(await storedStatements(account)).toMatchObject([
    { issued_date: null, number: null, gross_amount: null },
    { gross_amount: '112.07' },
  ]);
  const path = `accounts/${supplier.code}/${account.externalAccountNumber}/`;
  const read = await supplier.get(`${path}statements/`);
  expect(read.body).toEqual([bare, statement('ST-2', { gross_amount: '112.07' })]);
  const { figures } = (await supplier.get(path)).body;
  expect(figures.statements).toEqual({ count: 2, gross_total: '112.07', without_gross_amount: 1 });

  expect((await importStatements(account, bare)).status).toBe(201);
  for (const more of [{ gross_amount: 0 }, { number: '1' }, { issued_date: '2026-02-03' }]) {
    const { status, body } = await importStatements(account, { ...bare, ...more });
    expect([status, body.code]).toEqual([400, 'historical_statement_already_exists']);
  }
});

test('2.6.4 a cancelled statement and the one in its place are stored, read back and counted, with every field as it was sent', async () => {
  const [account, twin] = [await supplier.importAccount(), await supplier.importAccount()];
  const more = { due_date: '2026-02-17', net_amount: '106.73', tax_amount: '5.34', currency: 'GBP' };
  const statements = [
    statement('ST-1', { ...more, status: 'CANCELLED', gross_amount: '112.07' }),
    statement('ST-2', { ...more, status: 'ISSUED', replaces: 'ST-1', gross_amount: '-0.50', tax_amount: '-0.08' }),
  ];
  const input = { ...account.reference, statements };
  const twins = [account.externalAccountNumber, twin.externalAccountNumber] as const;
  expect(await sameOverTrpc(supplier, 'importStatements', { input, twins })).toMatchObject({
    status: 201,
    body: input,
  });
  const number = await supplier.stage({ statements });
  expect((await supplier.post(PROCESS, supplier.processRequest(number))).status).toBe(201);
  for (const one of [account.externalAccountNumber, twin.externalAccountNumber, number]) {
    const path = `accounts/${supplier.code}/${one}/`;
    expect((await supplier.get(`${path}statements/`)).body).toEqual(statements);
    const { figures } = (await supplier.get(path)).body;
    expect(figures.statements).toEqual({ count: 2, gross_total: '111.57' });
  }
  expect(await storedStatements(account)).toMatchObject([{ status: 'CANCELLED' }, { replaces: 'ST-1' }]);
  expect((await importStatements(account, ...statements)).body.statements).toEqual(statements);
  const { body } = await importStatements(account, { ...statements[0], status: 'ISSUED' });
  expect(body.code).toBe('historical_statement_already_exists');
});

test('4.6.6 a statement that was stored without its path gets it, once, and says so; nothing else of it changes', async () => {
  const [account, twin] = [await supplier.importAccount(), await supplier.importAccount()];
  const { statement_path: _path, ...bare } = statement('ST-1');
  for (const each of [account, twin]) await importStatements(each, bare, statement('ST-2'));
  const before = await storedStatements(account);
  const dry = { ...account.reference, statements: [statement('ST-1')], dry_run: true };
  const filled = { ...statement('ST-1'), filled: ['statement_path'] };
  expect((await supplier.post('historical-statements/create/', dry)).body).toMatchObject({
    would_answer: { statements: [filled] },
  });
  expect(await storedStatements(account)).toEqual(before);

  const changed = await importStatements(account, statement('ST-1', { number: '7' }));
  expect([changed.status, changed.body.code]).toEqual([400, 'historical_statement_already_exists']);
  const input = { ...account.reference, statements: [statement('ST-1'), statement('ST-2'), statement('ST-3')] };
  const twins = [account.externalAccountNumber, twin.externalAccountNumber] as const;
  const { body } = await sameOverTrpc(supplier, 'importStatements', { input, twins });
  expect(body.statements).toEqual([filled, statement('ST-2'), statement('ST-3')]);
  const [first, second] = await storedStatements(account);
  expect([first, second]).toEqual([{ ...before[0], statement_path: filled.statement_path }, before[1]]);
  const audited = { subject_id: account.id, action: 'statements_imported' };
  expect(await service.database.prisma.auditEvent.findMany({ where: audited, orderBy: { id: 'asc' } })).toMatchObject([
    { detail: { statements: 2 } },
    { detail: { statements: 1, filled: 1 } },
  ]);
  expect((await importStatements(account, statement('ST-1'))).body.statements).toEqual([statement('ST-1')]);
  const another = await importStatements(account, statement('ST-1', { statement_path: 'other.pdf' }));
  expect(another.body.code).toBe('historical_statement_already_exists');
});

test('2.6 a statement with a wrong field is refused, and none of the request is stored', async () => {
  const account = await supplier.importAccount();
  const wrong = statement('ST-2', { statement_path: '../other/1.pdf' });
  const { status, body } = await importStatements(account, statement('ST-1'), wrong);
  expect([status, body.code]).toEqual([400, 'request_failed_validation']);
  expect(body.errors).toMatchObject([{ attr: 'statements.1.statement_path', code: 'invalid_document_path' }]);
  expect(await storedStatements(account)).toEqual([]);
});

test('4.6 the same statements again change nothing and answer the same 201, with the data as it was sent', async () => {
  const account = await supplier.importAccount();
  const { statement_path: _path, ...withoutPath } = statement('ST-2', { gross_amount: '112.10' });
  const sent = [statement('ST-1', { gross_amount: '-0.5' }), withoutPath, statement('ST-3', { gross_amount: 7 })];
  const first = await importStatements(account, ...sent);
  expect([first.status, first.body]).toEqual([201, { ...account.reference, statements: sent }]);
  const before = await storedStatements(account);
  const again = await importStatements(account, ...sent);
  expect([again.status, again.body]).toEqual([201, first.body]);
  const spelled = [statement('ST-1', { gross_amount: -0.5 }), statement('ST-3', { gross_amount: '7.00' })];
  expect((await importStatements(account, ...spelled)).status).toBe(201);
  expect(await storedStatements(account)).toEqual(before);
});

test('4.6 a known statement_id with other values is 400 historical_statement_already_exists, and nothing is stored', async () => {
  const account = await supplier.importAccount();
  await importStatements(account, statement('ST-1'));
  const before = await storedStatements(account);
  const changed = statement('ST-1', { gross_amount: 112.08 });
  const { status, body } = await importStatements(account, statement('ST-0'), changed);
  expect([status, body.code]).toEqual([400, 'historical_statement_already_exists']);
  expect(body.errors).toMatchObject([{ attr: 'statements.1.statement_id' }]);
  expect(await storedStatements(account)).toEqual(before);
});

test('4.6 equal requests at once over two instances store once; of two that differ one is refused', async () => {
  const account = await supplier.importAccount();
  const instance = await service.startInstance();
  const callers = [supplier, restCalls(instance.url, supplier.token)];
  const requests = Array.from({ length: 12 }, (_, index) => ({
    ...account.reference,
    statements: [statement('SAME'), ...(index < 2 ? [statement('OTHER', { number: String(index) })] : [])],
  }));
  const calls = requests.map(
    (request, index) => async () => callers[index % 2]?.post('historical-statements/create/', request),
  );
  const answers = await meetAtAccount(service.database, account.id, calls);
  const refused = answers.filter((answer) => answer?.status !== 201);
  expect(refused).toMatchObject([{ status: 400, body: { code: 'historical_statement_already_exists' } }]);
  expect((await storedStatements(account)).map(({ statement_id }) => statement_id)).toEqual(['OTHER', 'SAME']);
});

const rooted = await service.createSupplier({ document_root: 'northwind/2026' });

const NOTES = 'notes/create/';
const noteOf = (document_path: string) => ({ document_paths: [{ document_path }] });

test('1.5 2.3 2.4 document_paths are stored as sent, whatever characters they have: they tell notes without a body apart, and no file is asked for', async () => {
  const account = await rooted.importAccount();
  const paths = [
    'a',
    'Müller & Söhne/Rechnung (März) 100%.pdf',
    '%20/%41',
    '/letters/2.pdf',
    '🙂'.repeat(1024),
    '~/$HOME/`id`/*?"<>|',
  ];
  const { status } = await rooted.post(NOTES, { ...account.reference, notes: paths.map(noteOf) });
  expect(status).toBe(201);
  const notes = await service.database.prisma.note.findMany({
    where: { account_import_id: account.id },
    orderBy: { id: 'asc' },
  });
  expect(notes.map(({ document_paths }) => document_paths[0])).toEqual(paths);
});

test('2.3 a document path that leads out of the root or has no meaning there is refused, and nothing is stored', async () => {
  const account = await rooted.importAccount();
  const paths = ['', '../x', 'a/%2E%2E/x', 's3://bucket/x', 'a\\..\\b', 'a\u200b/..\u200b/b', 'x'.repeat(1025)];
  const { status, body } = await rooted.post(NOTES, { ...account.reference, notes: paths.map(noteOf) });
  expect(status).toBe(400);
  const blamed = body.errors.map(({ attr }: { attr: string }) => attr);
  expect(blamed).toEqual(paths.map((_, index) => `notes.${index}.document_paths.0.document_path`));
  expect(await service.database.prisma.note.count({ where: { account_import_id: account.id } })).toBe(0);
});

test('2.3.5 a note or a statement that differs only by the slash before its path is the same, and keeps the path that was sent first', async () => {
  const account = await rooted.importAccount();
  const notes = [noteOf('/letters/1.pdf'), noteOf('letters/1.pdf'), noteOf('/letters/2.pdf')];
  const sent = await rooted.post(NOTES, { ...account.reference, notes });
  expect(sent.body.map(({ status }: { status: string }) => status)).toEqual([
    'NOTE_CREATION_SUCCESS',
    'NOTE_ALREADY_EXISTS',
    'NOTE_CREATION_SUCCESS',
  ]);
  const again = await rooted.post(NOTES, { ...account.reference, notes: [noteOf('letters/2.pdf')] });
  expect(again.body).toEqual([expect.objectContaining({ status: 'NOTE_ALREADY_EXISTS' })]);
  expect(again.body[0].differences).toBeUndefined();

  const statement = {
    ...{ statement_id: 'S-1', number: '1', issued_date: '2026-02-03', gross_amount: 1 },
    ...{ bill_period_from_date: '2026-01-01', bill_period_to_date: '2026-01-31', statement_path: '/bills/1.pdf' },
  };
  const statements = [statement, { ...statement, statement_path: 'bills/1.pdf' }];
  const stored = await rooted.post('historical-statements/create/', { ...account.reference, statements });
  expect(stored.body).toEqual({ ...account.reference, statements });
  const repeated = { ...account.reference, statements: statements.slice(1) };
  expect((await rooted.post('historical-statements/create/', repeated)).status).toBe(201);

  const { code, number } = { code: rooted.code, number: account.reference.external_account_number };
  const read = (kind: string) => rooted.get(`accounts/${code}/${number}/${kind}/`);
  expect((await read('statements')).body).toMatchObject([{ statement_path: '/bills/1.pdf' }]);
  const paths = (await read('notes')).body.map(
    (note: ReturnType<typeof noteOf>) => note.document_paths[0]?.document_path,
  );
  expect(paths).toEqual(['/letters/1.pdf', '/letters/2.pdf']);
});

test('2.3 the root of an import supplier is such a path itself; behind the bucket it gives the full location', async () => {
  const { organisationId } = rooted;
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
    const update = { code: rooted.code, document_root };
    await expect(service.staff.importSuppliers.update.mutate(update)).rejects.toMatchObject({
      data: { error: { errors: [{ attr: 'document_root', code: 'invalid_document_path' }] } },
    });
  }
  expect(await create('northwind/2027')).toMatchObject({
    document_root: 'northwind/2027',
    document_location: 'causeway-documents/northwind/2027/',
  });
});
