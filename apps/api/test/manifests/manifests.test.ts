import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { accountImportId, removeManifestLines } from '@causeway/domain';
import { borrowConnection } from '@causeway/testing/borrow-connection';
import { beforeEach, describe, expect, test } from 'vitest';
import { fileCall, ndjson, sha256 } from '../bulk/bulk-calls.ts';
import { refusal } from '../staff/refusal.ts';
import { followPages } from '../support/follow-pages.ts';
import { obtainToken, serviceOfFile, type TestSupplier, trpcClient, until } from '../support/test-service.ts';
import { createManifest, putPart, readManifest, seal, withdraw } from './manifest-calls.ts';

let supplier: TestSupplier;

const service = await serviceOfFile();
beforeEach(async () => {
  supplier = await service.createSupplier();
});

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const line = (number: string, fields: object = {}) => ({ external_account_number: number, ...fields });
const linesOf = (manifest_id: string) =>
  service.database.prisma.manifestAccount.findMany({ where: { manifest_id }, orderBy: { part: 'asc' } });
const partsOf = (manifest_id: string) => service.database.prisma.manifestPart.findMany({ where: { manifest_id } });
const eventsOf = async (subject_id: string) => {
  const events = await service.database.prisma.auditEvent.findMany({ where: { subject_id }, orderBy: { id: 'asc' } });
  return events.map(({ action }) => action);
};

const FIGURES = {
  transfer_balance: '-48.20',
  notes: 1,
  transactions: 2,
  transactions_sum: '104.88',
  by_type: { CHARGE: { count: 1, amount: '76.54' }, PAYMENT: { count: 1, amount: '28.34' } },
  statements: 1,
  statements_gross: '112.07',
  payment_instruction: true,
  fingerprint: '1241077391040012345',
};
const { payment_instruction: _one, fingerprint: _other, ...OF_ALL } = FIGURES;

describe('a manifest', () => {
  test('22.1.1 22.1.3 is lodged with its totals, its lines, a seal, and whether it was computed from the book', async () => {
    const totals = { accounts: 1, ...OF_ALL, payment_instructions: 1 };
    const id = await createManifest(supplier, { ...totals, transfer_balance: -48.2 });
    const bytes = ndjson([line('A-1', FIGURES)]);
    expect(await putPart(supplier, { id }, bytes)).toMatchObject({ status: 201, body: { number: 1, lines: 1 } });
    const computed = await createManifest(supplier, { accounts: 1 }, { computed_from_book: true });
    expect(await readManifest(supplier, computed)).toMatchObject({ computed_from_book: true });
    const open = await readManifest(supplier, id);
    expect(open).toMatchObject({ state: 'OPEN', totals, computed_from_book: false, parts: 1, lines: 1, digest: null });
    const { status, body } = await seal(supplier, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...open,
      state: 'SEALED',
      lodged_by: { kind: 'supplier', api_key_label: 'test', person: null },
      lodged_before_load: true,
      sealed_at: expect.any(String),
      digest: expect.any(String),
    });
    const [stored] = await linesOf(id);
    expect(JSON.parse(JSON.stringify(stored))).toMatchObject({
      account_import_id: accountImportId(supplier.code, 'A-1'),
      transfer_balance: '-48.2',
      transactions_sum: '104.88',
      by_type: FIGURES.by_type,
      statements_gross: '112.07',
      payment_instruction: true,
      fingerprint: FIGURES.fingerprint,
    });
    expect(await eventsOf(id)).toEqual(['created', 'sealed']);
  });

  test('22.1.1 counts as of a time that is not in the future', async () => {
    const counted = { import_supplier: supplier.code, source_system: 'x', totals: { accounts: 1 } };
    const answer = await supplier.post('manifests/', { ...counted, as_of: '2199-12-31T23:59:59Z' });
    expect(codeOf(answer)).toEqual([400, 'request_failed_validation']);
    expect(answer.body.errors).toMatchObject([{ attr: 'as_of', code: 'date_in_future' }]);
    expect((await supplier.get(`manifests/?import_supplier=${supplier.code}`)).body).toEqual([]);
  });

  test.each([
    [{}, 'totals.accounts required'],
    [{ accounts: 0 }, 'totals.accounts min_value'],
    [{ accounts: 1, transaction_sum: '1.00' }, 'totals.transaction_sum undocumented_field'],
    [{ accounts: 1, transactions: 1, by_type: {} }, 'totals.transactions control_differs'],
  ])('22.1.4 is refused with totals that nobody could compare: %j', async (totals, error) => {
    const request = { import_supplier: supplier.code, source_system: 'x', as_of: '2026-04-16T22:00:00Z', totals };
    const answer = await supplier.post('manifests/', request);
    expect(codeOf(answer)).toEqual([400, 'request_failed_validation']);
    expect(answer.body.errors.map(({ attr, code }: { attr: string; code: string }) => `${attr} ${code}`)).toEqual([
      error,
    ]);
  });

  test('22.1.5 is one of 20 of its import supplier, those that are withdrawn not counted', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await createManifest(supplier));
    const { body: own } = await supplier.get(`manifests/?import_supplier=${supplier.code}`);
    const { import_supplier, source_system, as_of, totals } = own[0];
    const another = { import_supplier, source_system, as_of, totals };
    expect(codeOf(await supplier.post('manifests/', another))).toEqual([409, 'too_many_manifests']);
    await withdraw(supplier, String(ids[3]));
    const answers = await Promise.all([1, 2, 3].map(() => supplier.post('manifests/', another)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('a part', () => {
  test('22.2.2 22.2.6 is stored while the manifest is open, packed or not, whatever was staged', async () => {
    const id = await createManifest(supplier);
    const bytes = (number: string) => ndjson([line(number)]);
    const headers = { 'Content-Digest': `sha-256=:${sha256(bytes('A-1'))}:` };
    expect((await putPart(supplier, { id, headers }, bytes('A-1'))).status).toBe(201);
    expect((await putPart(supplier, { id, number: 2 }, gzipSync(bytes('A-2')))).status).toBe(201);
    const refused = [
      await putPart(supplier, { id, number: 4, headers }, bytes('A-4')),
      await putPart(supplier, { id, number: 4 }, ndjson([''])),
    ];
    expect(refused.map(codeOf)).toEqual(Array(2).fill([400, 'bulk_part_invalid']));
    const outside = await putPart(supplier, { id, number: 10_001 }, bytes('A-4'));
    expect(codeOf(outside)).toEqual([400, 'request_failed_validation']);
    expect((await linesOf(id)).map(({ external_account_number }) => external_account_number)).toEqual(['A-1', 'A-2']);
  });

  test('22.2.2 of a manifest that is sealed or withdrawn is refused', async () => {
    const id = await createManifest(supplier);
    await putPart(supplier, { id }, ndjson([line('A-1')]));
    await seal(supplier, id);
    const sealed = await putPart(supplier, { id, number: 2 }, ndjson([line('A-2')]));
    expect(codeOf(sealed)).toEqual([409, 'manifest_state_not_allowed']);
    expect(sealed.body.detail).toContain('withdraw it and lodge another one.');
    await withdraw(supplier, id);
    expect(codeOf(await putPart(supplier, { id }, ndjson([line('A-1')])))).toEqual([409, 'manifest_state_not_allowed']);
    expect(await linesOf(id)).toHaveLength(1);
  });

  test('22.2.3 may be sent again with the same bytes, also at the same time, and not with others', async () => {
    const id = await createManifest(supplier);
    const bytes = ndjson(Array.from({ length: 50 }, (_, index) => line(`A-${index}`)));
    const answers = await Promise.all([1, 2, 3, 4].map(() => putPart(supplier, { id }, bytes)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(codeOf(await putPart(supplier, { id }, ndjson([line('A-1')])))).toEqual([409, 'bulk_part_differs']);
    expect(await linesOf(id)).toHaveLength(50);
  });

  test('22.2.4 with lines that cannot be used leaves nothing, and all its problems are named', async () => {
    const id = await createManifest(supplier);
    const lines = [
      line('A-1'),
      line('A-2', { notes: -1, statement: 1 }),
      '',
      line('A-3', { import_supplier: 'OTHER' }),
      'x',
      line('A-6', { by_type: { CHARGE: 'x' } }),
      line('A-7', { by_type: { REFUND: { count: 1, amount: '1.00' } }, transactions: 'three', fingerprint: 'ab' }),
    ];
    const answer = await putPart(supplier, { id }, ndjson(lines));
    expect(codeOf(answer)).toEqual([400, 'manifest_lines_invalid']);
    expect(answer.body.errors.map(({ attr, code }: { attr: string; code: string }) => `${attr} ${code}`)).toEqual([
      'lines.2.notes min_value',
      'lines.2.statement undocumented_field',
      'lines.4.import_supplier invalid',
      'lines.5 invalid_json',
      'lines.6.by_type.CHARGE invalid',
      'lines.7.transactions invalid',
      'lines.7.by_type.REFUND undocumented_field',
      'lines.7.fingerprint invalid',
    ]);
    expect([await linesOf(id), await partsOf(id)]).toEqual([[], []]);
  });

  test('22.2.5 names an account once, in it and in all parts', async () => {
    const id = await createManifest(supplier);
    const within = await putPart(supplier, { id }, ndjson([line('A-1'), line('A-2'), line('A-1')]));
    expect(within.body.errors).toMatchObject([
      { attr: 'lines.3.external_account_number', code: 'duplicate_in_file', detail: expect.stringContaining('line 1') },
    ]);
    await putPart(supplier, { id, number: 7 }, ndjson([line('A-1'), line('A-2')]));
    const between = await putPart(supplier, { id }, ndjson([line('A-3'), line('A-2'), line('A-1')]));
    expect(codeOf(between)).toEqual([400, 'manifest_lines_invalid']);
    expect(between.body.errors).toMatchObject([
      { attr: 'lines.2.external_account_number', detail: expect.stringContaining('part 7') },
      { attr: 'lines.3.external_account_number', code: 'duplicate_in_file' },
    ]);
    expect(await partsOf(id)).toMatchObject([{ number: 7 }]);
  });

  test('22.2.5 at the same time as another with the same accounts in another order: one is stored', async () => {
    const id = await createManifest(supplier);
    const lines = Array.from({ length: 500 }, (_, index) => line(`A-${index}`));
    const parts = [lines, lines.toReversed(), lines.slice(250), lines.slice(0, 250).toReversed()];
    const answers = await Promise.all(
      parts.map((part, index) => putPart(supplier, { id, number: index + 1 }, ndjson(part))),
    );
    const [stored, others] = [201, 400].map((status) => answers.filter((answer) => answer.status === status).length);
    expect([Number(stored) + Number(others), stored === 1 || stored === 2]).toEqual([4, true]);
    const all = await linesOf(id);
    expect(new Set(all.map(({ account_import_id }) => account_import_id)).size).toBe(all.length);
    expect((await readManifest(supplier, id)).lines).toBe(all.length);
  });

  test('22.2.7 with a line that is too long is refused, whatever else is in the line', async () => {
    const id = await createManifest(supplier);
    const [fits, tooLong] = [16_384, 16_385].map((bytes) => JSON.stringify(line('A-1')).padEnd(bytes));
    const refused = await putPart(supplier, { id }, gzipSync(ndjson([line('A-2'), tooLong, ' '.repeat(9_000_000)])));
    expect(codeOf(refused)).toEqual([400, 'manifest_lines_invalid']);
    expect(refused.body.errors).toEqual([
      { attr: 'lines.2', code: 'line_too_long', detail: 'The line is too long: the limit is 16,384 bytes.' },
      { attr: 'lines.3', code: 'line_too_long', detail: 'The line is too long: the limit is 16,384 bytes.' },
    ]);
    expect((await putPart(supplier, { id }, ndjson([fits]))).status).toBe(201);
  });
});

describe('sealing', () => {
  test('22.3.1 needs every part, and lines that add up', async () => {
    const id = await createManifest(supplier, { accounts: 2, notes: 3, transactions_sum: '0.30' });
    expect(codeOf(await seal(supplier, id))).toEqual([409, 'bulk_parts_missing']);
    await putPart(supplier, { id, number: 2 }, ndjson([line('A-2', { notes: 2, transactions_sum: 0.1 })]));
    const missing = await seal(supplier, id);
    expect([codeOf(missing), missing.body.detail]).toEqual([[409, 'bulk_parts_missing'], 'Parts are missing: 1.']);
    await putPart(supplier, { id }, ndjson([line('A-1', { notes: 2, transactions_sum: '0.2' })]));
    const wrong = await seal(supplier, id);
    expect(codeOf(wrong)).toEqual([409, 'manifest_contradicts_itself']);
    expect(wrong.body.errors).toEqual([
      { attr: 'totals.notes', code: 'control_differs', detail: 'The total is 3, and the lines add up to 4.' },
    ]);
    expect(await readManifest(supplier, id)).toMatchObject({ state: 'OPEN', digest: null });
    expect(await eventsOf(id)).toEqual(['created']);
  });

  test('22.3.2 needs each figure of the totals in every line', async () => {
    const id = await createManifest(supplier, { accounts: 2, notes: 2 });
    await putPart(supplier, { id }, ndjson([line('A-1', { notes: 2 }), line('A-2')]));
    const answer = await seal(supplier, id);
    expect(answer.body.errors).toMatchObject([
      { attr: 'totals.notes', detail: expect.stringContaining('1 line does not claim this figure (A-2).') },
    ]);
  });

  test('22.3.3 fixes the digest of the parts, whatever their order, once', async () => {
    const id = await createManifest(supplier, { accounts: 3 });
    const parts = ['A-1', 'A-2', 'A-3'].map((number) => ndjson([line(number)]));
    for (const number of [3, 1, 2]) await putPart(supplier, { id, number }, parts[number - 1] ?? Buffer.alloc(0));
    const first = await seal(supplier, id);
    const hex = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
    expect(first.body.digest).toBe(hex(parts.map((part) => `${hex(part)}\n`).join('')));
    const again = await seal(supplier, id);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await eventsOf(id)).toEqual(['created', 'sealed']);
  });

  test('22.3.4 says whether an account was created before', async () => {
    const early = await createManifest(supplier);
    const late = await createManifest(supplier);
    for (const id of [early, late]) await putPart(supplier, { id }, ndjson([line('A-1')]));
    await supplier.stage();
    expect((await seal(supplier, early)).body.lodged_before_load).toBe(true);
    await supplier.importAccount();
    expect((await seal(supplier, late)).body.lodged_before_load).toBe(false);
    expect((await readManifest(supplier, early)).lodged_before_load).toBe(true);
  });

  test('22.3.4 waits for a call that is creating an account', async () => {
    const id = await createManifest(supplier);
    await putPart(supplier, { id }, ndjson([line('A-1')]));
    const number = await supplier.stage();
    using client = await borrowConnection(service.database.pool);
    let sealing: ReturnType<typeof seal>;
    try {
      await client.query('BEGIN');
      await client.query('SELECT share_import_supplier($1, true)', [supplier.code]);
      sealing = seal(supplier, id);
      await until(async () => {
        const { rows } = await service.database.pool.query(
          `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'advisory' AND mode = 'ExclusiveLock'
             AND objid = hashtext($1)::bigint & 4294967295`,
          [supplier.code],
        );
        return rows.length === 1;
      });
      const completed = `UPDATE account_imports
        SET state = 'COMPLETED', attempts = 1, completed_at = now(), service_account_number = 'A-7K3M9QXT'
        WHERE external_account_number = $1`;
      await client.query(completed, [number]);
    } finally {
      await client.query('COMMIT');
      client.release();
    }
    expect((await sealing).body.lodged_before_load).toBe(false);
  });

  test('22.3.5 waits for a part that is being stored', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await createManifest(supplier, { accounts: 2 });
      await putPart(supplier, { id }, ndjson([line('A-1')]));
      const [part, sealed] = await Promise.all([
        putPart(supplier, { id, number: 2 }, ndjson([line('A-2')])),
        seal(supplier, id),
      ]);
      const outcome = [part.status, sealed.status];
      expect([JSON.stringify([201, 200]), JSON.stringify([201, 409])]).toContain(JSON.stringify(outcome));
      if (sealed.status === 409) expect(sealed.body.code).toBe('manifest_contradicts_itself');
      expect((await seal(supplier, id)).status).toBe(200);
      await withdraw(supplier, id);
    }
  });
});

describe('reading and withdrawing', () => {
  test('22.1.2 a manifest that is withdrawn cannot be sealed', async () => {
    const id = await createManifest(supplier);
    const first = await withdraw(supplier, id);
    expect([first.status, first.body.state]).toEqual([200, 'WITHDRAWN']);
    expect((await withdraw(supplier, id)).body).toEqual(first.body);
    expect(codeOf(await seal(supplier, id))).toEqual([409, 'manifest_state_not_allowed']);
    expect(await eventsOf(id)).toEqual(['created', 'withdrawn']);
  });

  test('22.4.3 the lines of a manifest that is withdrawn are removed, and no others', async () => {
    const [kept, withdrawn] = [await createManifest(supplier), await createManifest(supplier)];
    for (const id of [kept, withdrawn]) await putPart(supplier, { id }, ndjson([line('A-1')]));
    const { body } = await withdraw(supplier, withdrawn);
    await removeManifestLines(service.database);
    expect([await linesOf(kept), await linesOf(withdrawn)].map(({ length }) => length)).toEqual([1, 0]);
    expect(await readManifest(supplier, withdrawn)).toEqual(body);
  });

  test('22.4.3 a reason to withdraw is in the manifest and in its audit trail, which the service team reads', async () => {
    const id = await createManifest(supplier);
    const path = `manifests/${id}/withdraw/`;
    expect(codeOf(await supplier.post(path, { reason: ' ' }))).toEqual([400, 'request_failed_validation']);
    const { body } = await supplier.post(path, { reason: 'Counted too early' });
    expect(body).toMatchObject({ state: 'WITHDRAWN', withdrawn_reason: 'Counted too early' });
    expect((await supplier.post(path, { reason: 'Another reason' })).body).toEqual(body);
    expect(await service.staff.audit.list.query({ subject: 'manifest', id })).toMatchObject([
      { action: 'created' },
      { action: 'withdrawn', actor: 'supplier', detail: { state_before: 'OPEN', reason: 'Counted too early' } },
    ]);
    const absent = service.staff.audit.list.query({ subject: 'manifest', id: supplier.organisationId });
    expect(await refusal(absent)).toEqual({ status: 404, code: 'manifest_does_not_exist', attrs: ['id'] });
  });

  test('22.4.1 a manifest says who sealed it: a key of the supplier, or of a person of the service team', async () => {
    const own = await createManifest(supplier);
    expect(await readManifest(supplier, own)).toMatchObject({ lodged_by: null });
    await putPart(supplier, { id: own }, ndjson([line('A-1')]));
    expect((await seal(supplier, own)).body.lodged_by).toEqual({
      kind: 'supplier',
      api_key_label: 'test',
      person: null,
    });
    const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Cutover', person: 'Priya Raman' });
    const priya = trpcClient(service.url, await obtainToken(service.url, api_key));
    const other = await createManifest(supplier);
    await putPart(supplier, { id: other }, ndjson([line('A-1')]));
    await priya.dataImport.sealManifest.mutate({ manifest_id: other });
    const lodged_by = { kind: 'staff', api_key_label: 'Cutover', person: 'Priya Raman' };
    expect(await readManifest(supplier, other)).toMatchObject({ lodged_by });
    const { body } = await supplier.get(`manifests/?import_supplier=${supplier.code}`);
    expect(body).toMatchObject([{ id: own }, { id: other, lodged_by }]);
  });

  test('22.4.5 the lines are read as they are stored, as pages or NDJSON, and can be lodged again', async () => {
    const id = await createManifest(supplier, { accounts: 3 });
    const sent = [line('A-1', FIGURES), line('A-2', { transactions_sum: 1.5, fingerprint: '0' }), line('A-3')];
    await putPart(supplier, { id }, ndjson(sent));
    const { text, headers } = await fileCall(supplier, `manifests/${id}/lines/`);
    expect(headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const rows = text
      .trimEnd()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(rows.toSorted((one, two) => (one.external_account_number < two.external_account_number ? -1 : 1))).toEqual([
      sent[0],
      line('A-2', { transactions_sum: '1.50', fingerprint: '0' }),
      sent[2],
    ]);
    const first = await fileCall(supplier, `manifests/${id}/lines/?limit=2`);
    const next = /data-import\/(.*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect([...first.body, ...(await fileCall(supplier, next)).body]).toEqual(rows);
    const again = await createManifest(supplier, { accounts: 3 });
    expect((await putPart(supplier, { id: again }, Buffer.from(text))).status).toBe(201);
    await withdraw(supplier, id);
    expect(codeOf(await supplier.get(`manifests/${id}/lines/`))).toEqual([409, 'manifest_state_not_allowed']);
  });

  test('22.4.1 manifests are listed in the order of their creation, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await createManifest(supplier));
    const pages = await followPages(supplier, `manifests/?import_supplier=${supplier.code}&limit=2`);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    const wrong = await supplier.get(`manifests/?import_supplier=${supplier.code}&after=${supplier.organisationId}`);
    expect(codeOf(wrong)).toEqual([400, 'request_failed_validation']);
  });

  test('22.4.2 another organisation’s manifest is one that was never created; staff do all of it', async () => {
    const id = await createManifest(supplier);
    const foreign = await service.createSupplier();
    const [of, absent] = [`manifests/${id}/`, `manifests/${foreign.organisationId}/`];
    for (const [call, at] of [of, absent].flatMap((at) =>
      ['', 'lines/', 'seal/', 'withdraw/'].map((call) => [call, at] as const),
    )) {
      const answer = call === '' || call === 'lines/' ? await foreign.get(at) : await foreign.post(`${at}${call}`, {});
      expect(codeOf(answer)).toEqual([404, 'manifest_does_not_exist']);
    }
    expect(codeOf(await putPart(foreign, { id }, ndjson([line('A-1')])))).toEqual([404, 'manifest_does_not_exist']);
    const { dataImport } = service.staff;
    expect(await dataImport.manifest.query({ manifest_id: id })).toMatchObject({ state: 'OPEN' });
    expect(await dataImport.listManifests.query({ import_supplier: supplier.code })).toHaveLength(1);
    expect(await dataImport.withdrawManifest.mutate({ manifest_id: id })).toMatchObject({ state: 'WITHDRAWN' });
  });
});
