import type { Event } from '@causeway/contracts';
import { removeOldEvents } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { describe, expect, test } from 'vitest';
import { createJob, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { reconcile } from '../reconciliations/reconcile.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { until } from '../support/test-service.ts';
import { readAllEvents, readEvents, told } from './read-all-events.ts';

const STAGE = 'account-import-process/create-or-update/';
const PROCESS = 'account-import-process/process/';
const CANARY = 'Quetzalcoatlus';

const service = await serviceWithLanes();
const supplier = await service.createSupplier();

const note = (body: unknown) => ({ body });
const importNotes = (reference: object, body: unknown) =>
  supplier.post('notes/create/', { ...reference, notes: [note(body)] });

describe('what is told of accounts', () => {
  test('27.1.1 staged, created and complete, with both numbers', async () => {
    const { externalAccountNumber, serviceAccountNumber } = await supplier.importAccount();
    const { events } = await readAllEvents(supplier);
    const [staged, created, completed] = events.filter(
      ({ data }) => 'external_account_number' in data && data.external_account_number === externalAccountNumber,
    );
    const account = { import_supplier: supplier.code, external_account_number: externalAccountNumber };
    expect(staged).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'account.staged',
      data: { ...account, service_account_number: null, times_staged: 1 },
    });
    const ofCreated = { ...account, service_account_number: serviceAccountNumber };
    expect([created, completed]).toMatchObject([
      { type: 'account.created', data: ofCreated },
      { type: 'account.completed', data: ofCreated },
    ]);
  });

  test('27.1.4 a refusal once when it becomes open, and that the account is complete when the last is resolved', async () => {
    const { externalAccountNumber: number, reference } = await supplier.importAccount();
    await importNotes(reference, 7);
    await importNotes(reference, 7);
    await supplier.post('transactions/create/', { ...reference, transactions: [{ amount: 'x' }] });
    await importNotes(reference, 'fine');
    const { events } = await readAllEvents(supplier);
    const before = ['account.staged', 'account.created', 'account.completed', 'account.refused', 'account.refused'];
    expect(told(events, number)).toEqual(before);
    expect(events.findLast(({ type }) => type === 'account.refused')?.data).toMatchObject({
      operation: 'transactions',
      code: 'request_failed_validation',
      errors: expect.arrayContaining([{ code: expect.any(String), attr: 'transactions.0.type' }]),
    });
    const transactions = [
      { transaction_id: 'T-1', transaction_date: '2026-11-20', amount: '1.00', type: 'CHARGE', reason: 'ENERGY' },
    ];
    const added = await supplier.post('transactions/create/', { ...reference, transactions });
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(told((await readAllEvents(supplier)).events, number)).toEqual([...before, 'account.completed']);
  });

  test('27.1.5 a remark that keeps from being ready once when it becomes open, and again if it had ended', async () => {
    const doubtful = supplier.account({ customers: [{ given_name: 'nan', family_name: 'SiÃ¢n' }] });
    const { external_account_number } = doubtful;
    await supplier.post('validate-account/', doubtful);
    await supplier.post(STAGE, doubtful);
    await supplier.post(STAGE, doubtful);
    await supplier.post(STAGE, supplier.account({ external_account_number }));
    await supplier.post(STAGE, doubtful);
    const { events } = await readAllEvents(supplier);
    const [staged, both] = ['account.staged', ['account.remarked', 'account.remarked']];
    expect(told(events, external_account_number)).toEqual([staged, ...both, staged, staged, staged, ...both]);
    const remarks = events.filter(({ type }) => type === 'account.remarked').map(({ data }) => data);
    expect(remarks).toContainEqual({
      ...{ import_supplier: supplier.code, external_account_number, service_account_number: null },
      ...{ operation: 'stage', code: 'placeholder', link: expect.stringContaining(external_account_number) },
      errors: [{ code: 'placeholder', attr: 'customers.0.given_name' }],
    });
    await supplier.post(PROCESS, supplier.processRequest(external_account_number));
    const payment = { transaction_id: 'T-9', transaction_date: '2026-11-20', amount: '1.00', type: 'PAYMENT' };
    const doubted = [{ ...payment, reference: '881.0' }];
    const reference = { import_supplier: supplier.code, external_account_number };
    await supplier.post('transactions/create/', { ...reference, transactions: doubted });
    const last = (await readAllEvents(supplier)).events.findLast(({ type }) => type === 'account.remarked');
    expect(last?.data).toMatchObject({
      operation: 'transactions',
      service_account_number: expect.stringMatching(/^A-/),
    });
  });

  test('27.1.4 an account that is created while a refusal stays open is not complete, with its history it is', async () => {
    const [open, carried] = [await supplier.stage(), supplier.account({ notes: [note('carried')] })];
    const numbers = [open, carried.external_account_number];
    for (const external_account_number of numbers) {
      await importNotes({ import_supplier: supplier.code, external_account_number }, 7);
    }
    await supplier.post(STAGE, carried);
    for (const number of numbers) await supplier.post(PROCESS, supplier.processRequest(number));
    const { events } = await readAllEvents(supplier);
    expect(told(events, open)).toEqual(['account.staged', 'account.refused', 'account.created']);
    expect(told(events, carried.external_account_number)).toEqual([
      'account.refused',
      'account.staged',
      'account.created',
      'account.completed',
    ]);
  });

  test('27.1.2 27.1.3 nothing of what was only tried, and nothing that describes a person', async () => {
    const { next } = await readAllEvents(supplier);
    const account = supplier.account({
      billing_name: CANARY,
      customers: [{ family_name: CANARY, given_name: CANARY }],
    });
    await supplier.post('validate-account/', account);
    await supplier.post(STAGE, account);
    await supplier.post(PROCESS, { ...supplier.processRequest(account.external_account_number), dry_run: true });
    const nobody = { ...supplier.processRequest(account.external_account_number), operations_team_name: CANARY };
    await supplier.post(PROCESS, { ...nobody, dry_run: true });
    await supplier.post(PROCESS, nobody);
    await importNotes({ import_supplier: supplier.code, external_account_number: account.external_account_number }, [
      CANARY,
    ]);
    const key = { code: supplier.code, external_account_number: account.external_account_number };
    await service.staff.accountImports.skip.mutate({ ...key, reason: CANARY });
    await service.staff.accountImports.unskip.mutate({ ...key, reason: CANARY });
    const { events } = await readAllEvents(supplier, { after: next });
    expect(told(events)).toEqual([
      'account.staged',
      'account.refused',
      'account.refused',
      'account.skipped',
      'account.unskipped',
    ]);
    const { rows } = await service.database.pool.query(`SELECT FROM events WHERE events::text LIKE '%${CANARY}%'`);
    expect(rows).toEqual([]);
  });
});

test('27.1.1 27.1.2 27.1.3 a job tells of its runs, and of the accounts of the real one only, with links', async () => {
  const own = await service.createSupplier();
  const job_id = await createJob(own);
  const number = 'J/1 %ö';
  const account = own.account({ external_account_number: number });
  await putPart(
    own,
    { id: job_id },
    ndjson([
      { account, notes: [note('x')] },
      { account: { ...account, external_account_number: 'J-2', customers: 7 } },
    ]),
  );
  const run = async (run_mode: string, state: string) => {
    await own.post(`bulk-jobs/${job_id}/start/`, { run_mode });
    await until(async () => (await readJob(own, job_id)).state === state);
  };
  await run('REHEARSAL', 'REHEARSED');
  const rehearsed = await readAllEvents(own);
  expect(rehearsed.events.map(({ type, data }) => [type, data])).toEqual(
    ['bulk_job.started', 'bulk_job.finished'].map((type) => [
      type,
      {
        ...{ import_supplier: own.code, job_id, kind: 'MOVE', run_mode: 'REHEARSAL' },
        link: `/v1/data-import/bulk-jobs/${job_id}/`,
      },
    ]),
  );
  await run('REAL', 'FINISHED');
  await reconcile(own, { lines: [{ external_account_number: number }] });
  await service.staff.importSuppliers.setStatus.mutate({ code: own.code, status: 'PAUSED' });
  await service.staff.importSuppliers.setStatus.mutate({ code: own.code, status: 'PAUSED' });
  const waiting = await createJob(own);
  await own.post(`bulk-jobs/${waiting}/cancel/`, {});
  const { events } = await readAllEvents(own, { after: rehearsed.next });
  expect(told(events, number)).toEqual(['account.staged', 'account.created', 'account.completed']);
  expect(told(events, 'J-2')).toEqual(['account.refused']);
  const others = events.filter(({ type }) => !type.startsWith('account.'));
  expect(others.map(({ type, data }) => [type, data])).toMatchObject([
    ['bulk_job.started', { job_id, run_mode: 'REAL' }],
    ['bulk_job.finished', { job_id, run_mode: 'REAL' }],
    ['reconciliation.finished', { import_supplier: own.code, verdict: 'EQUAL' }],
    ['import_supplier.status_changed', { status: 'PAUSED', status_before: 'ONGOING' }],
    ['bulk_job.cancelled', { job_id: waiting, run_mode: null }],
  ]);
  const read = await Promise.all(events.map(({ data }) => own.get(data.link.replace('/v1/data-import/', ''))));
  expect(events.map(({ data, type }, index) => [type, read[index]?.status, named(data, read[index]?.body)])).toEqual(
    events.map(({ type }) => (type === 'account.refused' ? [type, 404, false] : [type, 200, true])),
  );
});

/** Whether what was read is what the event is about. */
function named(data: Event['data'], { id, code, external_account_number }: Record<string, unknown>): boolean {
  if ('external_account_number' in data) return external_account_number === data.external_account_number;
  if ('job_id' in data) return id === data.job_id;
  return 'reconciliation_id' in data ? id === data.reconciliation_id : code === data.import_supplier;
}

describe('reading', () => {
  const INSERT = `INSERT INTO events (import_supplier_code, type, external_account_number, occurred_at)
    VALUES ($1, $2, $3, now())`;
  const write = (
    client: { query(text: string, values: unknown[]): Promise<unknown> },
    type: string,
    number: string,
    code = supplier.code,
  ) => client.query(INSERT, [code, type, number]);

  test('27.2.2 ends before what a transaction may still commit, and has the order of an account', async () => {
    const { next } = await readAllEvents(supplier);
    using late = await borrowConnection(service.database.pool);
    let number: string;
    try {
      await late.query('BEGIN');
      await write(late, 'account.created', 'LATE-1');
      number = await supplier.stage();
      const waiting = await readEvents(supplier, `?after=${next}`);
      expect(waiting).toEqual({ events: [], next, has_more: false });
      const other = await service.createSupplier();
      await other.stage();
      expect((await readEvents(other)).events).toHaveLength(1);
      // As a chunk that began before the account was staged, and creates it.
      await write(late, 'account.created', number);
      await late.query('SAVEPOINT undone');
      await write(late, 'account.skipped', number);
      await late.query('ROLLBACK TO undone');
      await late.query('COMMIT');
    } finally {
      late.release(true);
    }
    const { events } = await readAllEvents(supplier, { after: next, limit: 1 });
    expect(told(events, number)).toEqual(['account.staged', 'account.created']);
    expect(told(events)).toHaveLength(3);
    expect((await readAllEvents(supplier, { after: next })).events).toEqual(events);
  });

  test('27.2.2 misses none of concurrent writers, meets each once, and none that was rolled back', async () => {
    const own = await service.createSupplier();
    let running = 8;
    const seen: string[] = [];
    const writers = Array.from({ length: running }, async (_writer, writer) => {
      using client = await borrowConnection(service.database.pool);
      for (let round = 0; round < 25; round += 1) {
        await client.query('BEGIN');
        for (let each = 0; each <= (writer + round) % 3; each += 1) {
          await write(client, 'account.created', `${writer}-${round}-${each}`, own.code);
        }
        await client.query(round % 5 === 4 ? 'ROLLBACK' : 'COMMIT');
      }
      client.release();
      running -= 1;
    });
    for (let next: string | null = null, isLast = false; ; ) {
      const page = await readAllEvents(own, { after: next });
      seen.push(...page.events.map(({ id }) => id));
      next = page.next;
      if (isLast) break;
      isLast = running === 0;
    }
    await Promise.all(writers);
    const { rows } = await service.database.pool.query<{ id: string }>(
      `SELECT 'evt_' || replace(event_id::text, '-', '') AS id FROM events AS event
       WHERE organisation_id = $1 ORDER BY event.id`,
      [own.organisationId],
    );
    expect(rows.length).toBeGreaterThan(300);
    expect(seen).toEqual(rows.map(({ id }) => id));
  });

  test('27.2.1 an organisation reads its own, the service team that of any by its id', async () => {
    const stranger = await service.createSupplier();
    expect(await readEvents(stranger)).toEqual({ events: [], next: null, has_more: false });
    for (const organisation_id of [supplier.organisationId, '019a9d4e-0000-7b3a-8f21-5d0c6a7e9b14']) {
      const { status, body } = await stranger.get(`events/?organisation_id=${organisation_id}`);
      expect([status, body.errors]).toMatchObject([400, [{ attr: 'organisation_id', code: 'invalid' }]]);
    }
    const all = await service.staff.dataImport.listEvents.query({ organisation_id: supplier.organisationId, limit: 7 });
    expect(all).toEqual(await readEvents(supplier, '?limit=7'));
    for (const organisation_id of [undefined, '019a9d4e-0000-7b3a-8f21-5d0c6a7e9b14']) {
      await expect(service.staff.dataImport.listEvents.query({ organisation_id })).rejects.toMatchObject({
        data: { error: { code: 'request_failed_validation' } },
      });
    }
    expect(await readEvents(stranger, `?after=${all.next}`).catch(String)).toContain('event_cursor_expired');
  });

  test('27.2.3 of one type passes the others, and says whether there is more', async () => {
    const own = await service.createSupplier();
    await Promise.all(Array.from({ length: 3 }, () => own.stage()));
    const page = await readEvents(own, '?type=account.staged&limit=2');
    expect([told(page.events), page.has_more]).toEqual([['account.staged', 'account.staged'], true]);
    const none = await readEvents(own, `?type=account.created&after=${page.next}`);
    expect([none.events, none.has_more]).toEqual([[], false]);
    expect(await readEvents(own, `?after=${none.next}`)).toEqual({ events: [], next: none.next, has_more: false });
    for (const query of ['after=x', `after=${none.next}x`, 'type=account.eaten', 'limit=1001']) {
      expect((await own.get(`events/?${query}`)).status, query).toBe(400);
    }
  });

  test('27.2.4 27.3.1 old events are removed, and anyone who may have missed one is told', async () => {
    const own = await service.createSupplier();
    for (let each = 0; each < 4; each += 1) await own.stage();
    const { rows } = await service.database.pool.query<{ id: string }>(
      `UPDATE events SET occurred_at = occurred_at - interval '31 days' WHERE organisation_id = $1
       RETURNING id || '-' || left(event_id::text, 8) AS id`,
      [own.organisationId],
    );
    const cursors = rows.map(({ id }) => id);
    const recent = await own.stage();
    await removeOldEvents(service.database, new Date(), 30);
    const refused = await own.get(`events/?after=${cursors[2]}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'event_cursor_expired']);
    // Of who has read all of the old ones.
    expect(told((await readAllEvents(own, { after: cursors[3] })).events, recent)).toEqual(['account.staged']);
    expect((await readAllEvents(own)).events).toHaveLength(2);
  });

  test('27.3.1 none are recorded with EVENT_DAYS=0', async () => {
    const own = await service.createSupplier();
    await service.startInstance({ EVENT_DAYS: '0' });
    await own.stage();
    await service.startInstance();
    const number = await own.stage();
    const { events } = await readAllEvents(own);
    expect([told(events), told(events, number)]).toEqual([['account.staged'], ['account.staged']]);
  });
});
