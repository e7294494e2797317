import { CreateImportSupplierRequest, ImportSupplier, ImportSupplierDetail } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportSupplier } from '../../src/import-suppliers/create-import-supplier.ts';
import { getImportSupplier, listImportSuppliers } from '../../src/import-suppliers/get-import-supplier.ts';
import { updateImportSupplier } from '../../src/import-suppliers/update-import-supplier.ts';
import { createOrganisation } from '../../src/organisations/organisations.ts';
import { accountImportId, derivedId } from '../../src/shared/derived-id.ts';
import { DomainError } from '../../src/shared/errors.ts';
import { findImportSupplier } from '../../src/shared/find-import-supplier.ts';
import { auditTrail, NOW, staffContext } from '../support/staff-context.ts';

const { database, owner, drop } = await createTestDatabase();
afterAll(drop);

const context = staffContext(database);

const RENAME = sql('test_rename', { pid: 'integer' })`
  UPDATE import_suppliers
  SET name = 'First'
  WHERE code = 'NW-9'
  RETURNING pg_backend_pid() AS pid`;

const request = (code: string, settings = {}) =>
  CreateImportSupplierRequest.parse({ code, name: `Supplier ${code}`, organisation_id, ...settings });

const organisation_id = (await createOrganisation(context, { name: 'Northwind' })).id;
const otherOrganisationId = (await createOrganisation(context, { name: 'Southwind' })).id;

beforeEach(async () => {
  await owner.prisma.accountImport.deleteMany();
  await owner.prisma.importSupplier.deleteMany();
});

describe('creating import suppliers', () => {
  it('14.4 refuses a code that is taken, whichever organisation has it', async () => {
    await createImportSupplier(context, request('NW-3'));
    const again = request('NW-3', { organisation_id: otherOrganisationId });
    await expect(createImportSupplier(context, again)).rejects.toMatchObject({
      code: 'import_supplier_already_exists',
      errors: [{ attr: 'code', code: 'import_supplier_already_exists' }],
    });
    expect(await auditTrail(database, derivedId('import_supplier', 'NW-3'))).toHaveLength(1);
  });

  it('14.4 refuses an organisation that was never created, and writes nothing', async () => {
    const before = await database.prisma.auditEvent.count();
    const unknown = request('NW-4', { organisation_id: '00000000-0000-4000-8000-000000000000' });
    await expect(createImportSupplier(context, unknown)).rejects.toMatchObject({
      code: 'organisation_does_not_exist',
      errors: [{ attr: 'organisation_id' }],
    });
    expect(await database.prisma.importSupplier.count()).toBe(0);
    expect(await database.prisma.auditEvent.count()).toBe(before);
  });
});

describe('changing and reading import suppliers', () => {
  it('14.4 changes what an update names and leaves the rest, and is heeded at once on this instance', async () => {
    await createImportSupplier(context, request('NW-5', { process_concurrency_limit: 40 }));
    expect(await context.importSuppliers.find('NW-5')).toMatchObject({ undocumented_fields: 'REPORT' });
    const change = { code: 'NW-5', name: undefined, reject_undocumented_fields: true, process_concurrency_limit: null };
    const updated = ImportSupplier.parse(await updateImportSupplier(context, change));
    expect(updated).toMatchObject({
      name: 'Supplier NW-5',
      reject_undocumented_fields: true,
      process_concurrency_limit: null,
    });
    expect(await context.importSuppliers.find('NW-5')).toMatchObject({ undocumented_fields: 'REJECT' });
    const [, event] = await auditTrail(database, derivedId('import_supplier', 'NW-5'));
    expect(event).toMatchObject({
      action: 'updated',
      detail: { reject_undocumented_fields: true, process_concurrency_limit: null },
    });
  });

  it('14.4 two changes of different settings at the same time both stay', async () => {
    await createImportSupplier(context, request('NW-9'));
    const waiting = 'SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    const second = await owner.transaction(async (first) => {
      const [{ pid } = { pid: 0 }] = await first.query(RENAME, {});
      const changed = updateImportSupplier(context, { code: 'NW-9', country: 'SE', account_types: ['FARM'] });
      while ((await owner.pool.query(waiting, [pid])).rowCount === 0);
      return [changed] as const;
    });
    expect(await second[0]).toMatchObject({
      name: 'First',
      country: 'SE',
      account_types: ['FARM'],
      bulk_parallelism: 2,
    });
  });

  it('5.9 refuses an organisation nothing on account of what another one, which asked first, has in flight', async () => {
    await createImportSupplier(context, request('NW-8'));
    const held = Promise.withResolvers<never>();
    const busy = { ...context, database: { ...database, query: () => held.promise } };
    const first = findImportSupplier(busy, 'NW-8', 'import_supplier');
    expect(await findImportSupplier(context, 'NW-8', 'import_supplier')).toMatchObject({ code: 'NW-8' });
    held.reject(new DomainError('service_unavailable', 'Your organisation has too many requests in flight.'));
    await expect(first).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await findImportSupplier(busy, 'NW-8', 'import_supplier')).toMatchObject({ code: 'NW-8' });
  });

  it('14.4 refuses to update or get a code that was never created, and writes no audit row', async () => {
    const before = await database.prisma.auditEvent.count();
    const unknown = { code: 'import_supplier_does_not_exist', errors: [{ attr: 'code' }] };
    await expect(updateImportSupplier(context, { code: 'NONE', name: 'x' })).rejects.toMatchObject(unknown);
    await expect(getImportSupplier(context, { code: 'NONE' })).rejects.toMatchObject(unknown);
    expect(await database.prisma.auditEvent.count()).toBe(before);
  });

  it('14.4 counts the account imports of one supplier by state', async () => {
    await createImportSupplier(context, request('NW-6'));
    await createImportSupplier(context, request('NW-7'));
    const none = { staged: 0, failed: 0, skipped: 0, completed: 0, undone: 0, complete: 0 };
    expect((await getImportSupplier(context, { code: 'NW-6' })).counts).toEqual(none);
    const staged = { state: 'STAGED' } as const;
    const failed = { state: 'FAILED', attempts: 1, failed_at: NOW, last_error: {} } as const;
    const completed = { state: 'COMPLETED', attempts: 1, completed_at: NOW } as const;
    for (const [index, state] of [staged, staged, staged, failed, completed, completed].entries()) {
      const external_account_number = String(index);
      const id = accountImportId('NW-6', external_account_number);
      const times = { staged_at: NOW, updated_at: NOW };
      const data = { id, import_supplier_code: 'NW-6', external_account_number, payload: {}, ...state, ...times };
      await database.prisma.accountImport.create({ data });
    }
    const detail = ImportSupplierDetail.parse(await getImportSupplier(context, { code: 'NW-6' }));
    expect(detail.counts).toEqual({ staged: 3, failed: 1, skipped: 0, completed: 2, undone: 0, complete: 2 });
    expect((await getImportSupplier(context, { code: 'NW-7' })).counts).toEqual(none);
  });

  it('14.4 lists import suppliers by code, in pages, of one organisation if asked', async () => {
    for (const code of ['C', 'A', 'B']) {
      await createImportSupplier(context, request(code));
    }
    await createImportSupplier(context, request('AA', { organisation_id: otherOrganisationId }));
    const codes = async (input: Parameters<typeof listImportSuppliers>[1]) =>
      (await listImportSuppliers(context, input)).map(({ code }) => code);
    expect(await codes({})).toEqual(['A', 'AA', 'B', 'C']);
    expect(await codes({ organisation_id })).toEqual(['A', 'B', 'C']);
    expect(await codes({ limit: 2 })).toEqual(['A', 'AA']);
    expect(await codes({ limit: 2, after: 'AA' })).toEqual(['B', 'C']);
  });
});
