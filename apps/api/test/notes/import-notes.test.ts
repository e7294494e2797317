import type { NoteResult } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { meetAtAccount } from '../support/meet-at-account.ts';
import { type ImportedAccount, restCalls, serviceOfFile } from '../support/test-service.ts';

const NOW = '2026-04-20T11:30:00Z';

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00.750Z');
const supplier = await service.createSupplier();

function importNotes({ reference }: Pick<ImportedAccount, 'reference'>, ...notes: unknown[]) {
  return supplier.post('notes/create/', { ...reference, notes });
}

function storedNotes({ id }: ImportedAccount) {
  return service.database.prisma.note.findMany({ where: { account_import_id: id }, orderBy: { id: 'asc' } });
}

async function statusesOf(answer: ReturnType<typeof importNotes>): Promise<unknown[]> {
  const { status, body } = await answer;
  expect(status).toBe(201);
  return body.map((result: { status: string }) => result.status);
}

const CREATED = 'NOTE_CREATION_SUCCESS';
const EXISTS = 'NOTE_ALREADY_EXISTS';

test('2.4 4.4 answers 201 with created_at, which omitted is now, body and NOTE_CREATION_SUCCESS for each note, in order', async () => {
  const account = await supplier.importAccount();
  const { status, body } = await importNotes(
    account,
    { body: 'Moved in', created_at: '2025-11-20T10:15:00Z' },
    { body: 'Prefers e-mail – “bitte”' },
  );
  expect(status).toBe(201);
  expect(body).toEqual([
    { created_at: '2025-11-20T10:15:00Z', body: 'Moved in', status: CREATED },
    { created_at: NOW, body: 'Prefers e-mail – “bitte”', status: CREATED },
  ]);
  expect(await storedNotes(account)).toMatchObject([
    { body: 'Moved in', created_at: new Date('2025-11-20T10:15:00Z'), document_paths: [], is_pinned: false },
    { body: 'Prefers e-mail – “bitte”', created_at: new Date(NOW), unpin_at: null },
  ]);
  const events = await service.database.prisma.auditEvent.findMany({
    where: { subject_id: account.id, action: 'notes_imported' },
  });
  expect(events).toMatchObject([{ actor: 'supplier', detail: { notes: 2 } }]);
});

test('2.4 a note with the same body and no created_at is NOTE_ALREADY_EXISTS, shown as it was created', async () => {
  const account = await supplier.importAccount();
  await importNotes(account, { body: 'Same', created_at: '2024-01-01T00:00:00Z' });
  const { body } = await importNotes(account, { body: 'Same' }, { body: 'same' });
  expect(body).toEqual([
    { created_at: '2024-01-01T00:00:00Z', body: 'Same', status: EXISTS },
    { created_at: NOW, body: 'same', status: CREATED },
  ]);
  expect(await storedNotes(account)).toHaveLength(2);
});

test('2.4.9 a note that has no documents gets those that it is sent again with, once, and says so', async () => {
  const account = await supplier.importAccount();
  const document_paths = [{ document_path: 'letters/1.pdf' }];
  const [note, named] = [{ body: 'Called' }, { body: 'Wrote', external_id: 'N-2' }];
  await importNotes(account, note, named);
  const both = [note, named].map((each) => ({ ...each, document_paths }));
  const sent = await importNotes(account, ...both, { body: 'New' }, { body: 'New', document_paths });
  const filled = ['document_paths'];
  expect(sent.body).toMatchObject([
    ...[
      { status: EXISTS, filled },
      { status: EXISTS, external_id: 'N-2', filled },
    ],
    ...[{ status: CREATED }, { status: EXISTS, filled }],
  ]);
  const stored = await storedNotes(account);
  expect(stored.map(({ document_paths: paths }) => paths)).toEqual(Array(3).fill(['letters/1.pdf']));
  const again = await importNotes(account, both[0]);
  expect([again.body[0].filled, again.body[0].differences]).toEqual([undefined, undefined]);
  const pinned = { ...note, document_paths: [{ document_path: 'letters/2.pdf' }], is_pinned: true };
  expect((await importNotes(account, pinned)).body).toMatchObject([{ differences: ['document_paths', 'is_pinned'] }]);
  expect(await storedNotes(account)).toEqual(stored);
});

test('4.4 adds all notes or none: one that breaks a rule refuses the request with its place', async () => {
  const account = await supplier.importAccount();
  const { status, body } = await importNotes(account, { body: 'Good' }, { is_pinned: true }, { body: '' });
  expect(status).toBe(400);
  expect(body.code).toBe('request_failed_validation');
  expect(body.errors.map(({ attr, code }: { attr: string; code: string }) => [attr, code])).toEqual([
    ['notes.1.body', 'note_body_or_document_path_not_found'],
    ['notes.2.body', 'blank'],
  ]);
  expect(await storedNotes(account)).toEqual([]);
});

test('2.4 2.4.3 is_pinned and unpin_at are stored as sent: unpin_at in the past is good without created_at, and where the note is not pinned', async () => {
  const account = await supplier.importAccount();
  const early = { created_at: '2025-01-01T00:00:00Z', unpin_at: '2024-01-01T00:00:00Z' };
  const notes = [
    { body: 'Was pinned', is_pinned: true, unpin_at: '2020-01-01T00:00:00Z' },
    { body: 'Is pinned until now', is_pinned: true, unpin_at: NOW },
    { body: 'Not pinned', is_pinned: false, ...early },
    { body: 'Pinned', is_pinned: true },
    { body: 'For a while', is_pinned: true, unpin_at: '2026-04-20T11:30:01Z' },
    { body: 'Not at all', is_pinned: false, unpin_at: '2027-01-01T00:00:00Z' },
  ];
  expect(await statusesOf(importNotes(account, ...notes))).toEqual(notes.map(() => CREATED));
  expect((await storedNotes(account)).map(({ is_pinned, unpin_at }) => [is_pinned, unpin_at])).toEqual([
    [true, new Date('2020-01-01T00:00:00Z')],
    [true, new Date(NOW)],
    [false, new Date(early.unpin_at)],
    [true, null],
    [true, new Date('2026-04-20T11:30:01Z')],
    [false, new Date('2027-01-01T00:00:00Z')],
  ]);
});

test('2.4.6 external_id and is_archived are stored; the same external_id is the same note, whatever else it says', async () => {
  const account = await supplier.importAccount();
  const first = { body: 'First', external_id: 'N-1', is_archived: true };
  const { body } = await importNotes(account, first, { body: 'First', external_id: 'N-2' }, { body: 'First' });
  expect(body.map((result: NoteResult) => [result.status, result.external_id])).toEqual([
    [CREATED, 'N-1'],
    [CREATED, 'N-2'],
    [EXISTS, 'N-1'],
  ]);
  const again = await importNotes(account, { ...first, body: 'Other' }, { body: 'First', external_id: 'N-3' });
  expect(again.body).toMatchObject([
    { status: EXISTS, external_id: 'N-1', body: 'First', differences: ['body'] },
    { status: CREATED, external_id: 'N-3' },
  ]);
  const stored = (await storedNotes(account)).map(({ body, external_id, is_archived }) => [
    body,
    external_id,
    is_archived,
  ]);
  expect(stored).toEqual([
    ['First', 'N-1', true],
    ['First', 'N-2', false],
    ['First', 'N-3', false],
  ]);
});

test('2.4.7 a known note sent again with other values is skipped, and the fields that differ are named', async () => {
  const account = await supplier.importAccount();
  const created_at = '2025-01-01T00:00:00Z';
  const paths = (...all: string[]) => all.map((document_path) => ({ document_path }));
  const note = { body: 'One', created_at, document_paths: paths('a.pdf', 'b.pdf'), is_pinned: true };
  await importNotes(account, note, { body: 'Two' }, { body: 'Three', external_id: 'N-3', created_at });
  const before = await storedNotes(account);
  const { status, body } = await importNotes(
    account,
    ...[note, { ...note, document_paths: paths('a.pdf') }, { body: 'One' }],
    ...[
      { body: 'Two', is_pinned: false },
      { body: 'Two', is_archived: true, is_pinned: true, unpin_at: '2030-01-01T00:00:00Z' },
    ],
    { body: 'Three', external_id: 'N-3', created_at: '2025-01-02T00:00:00Z' },
  );
  expect(status).toBe(201);
  expect(body.map((result: NoteResult) => [result.status, result.differences])).toEqual([
    [EXISTS, undefined],
    [EXISTS, ['document_paths']],
    [EXISTS, ['document_paths', 'is_pinned']],
    [EXISTS, undefined],
    [EXISTS, ['is_pinned', 'unpin_at', 'is_archived']],
    [EXISTS, ['created_at']],
  ]);
  expect(await storedNotes(account)).toEqual(before);
});

test('2.4.7 a repeat inside one request is compared with the first one', async () => {
  const account = await supplier.importAccount();
  const { body } = await importNotes(account, { body: 'One' }, { body: 'One', is_pinned: true }, { body: 'One' });
  expect(body.map((result: NoteResult) => [result.status, result.differences])).toEqual([
    [CREATED, undefined],
    [EXISTS, ['is_pinned']],
    [EXISTS, undefined],
  ]);
});

test('2.4 twenty equal requests at once over two instances add the note once', async () => {
  const account = await supplier.importAccount();
  const instance = await service.startInstance();
  const callers = [supplier, restCalls(instance.url, supplier.token)];
  const request = { ...account.reference, notes: [{ body: 'One' }, { body: 'Two' }] };
  const calls = Array.from(
    { length: 20 },
    (_, index) => async () => callers[index % 2]?.post('notes/create/', request),
  );
  const answers = await meetAtAccount(service.database, account.id, calls);
  expect(answers.map((answer) => answer?.status)).toEqual(calls.map(() => 201));
  const statuses = answers.flatMap((answer) => answer?.body.map((result: { status: string }) => result.status));
  expect(statuses.filter((status) => status === CREATED)).toHaveLength(2);
  expect((await storedNotes(account)).map(({ body }) => body)).toEqual(['One', 'Two']);
});
