import { CreateImportSupplierRequest, ImportSupplier, type ImportSupplierStatus } from '@causeway/contracts';
import { createTestDatabase } from '@causeway/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createImportSupplier } from '../../src/import-suppliers/create-import-supplier.ts';
import { createOrganisation } from '../../src/organisations/organisations.ts';
import { setImportSupplierStatus } from '../../src/overview/set-import-supplier-status.ts';
import { derivedId } from '../../src/shared/derived-id.ts';
import { auditTrail, staffContext } from '../support/staff-context.ts';

const { database, drop } = await createTestDatabase();
afterAll(drop);

const context = staffContext(database);
let code: string;
let suppliers = 0;

const organisation_id = (await createOrganisation(context, { name: 'Northwind' })).id;

beforeEach(async () => {
  suppliers += 1;
  code = `NORTHWIND-${suppliers}`;
  const request = CreateImportSupplierRequest.parse({ code, name: 'Northwind', organisation_id });
  await createImportSupplier(context, request);
});

/** What was done to the supplier since it was created. */
async function changes() {
  return (await auditTrail(database, derivedId('import_supplier', code))).slice(1);
}

async function startAs(status: ImportSupplierStatus): Promise<void> {
  await database.prisma.importSupplier.update({ where: { code }, data: { status } });
}

async function storedStatus(): Promise<string | undefined> {
  return (await database.prisma.importSupplier.findUnique({ where: { code } }))?.status;
}

describe('the status of an import supplier', () => {
  const allowed = [
    ['ONGOING', 'PAUSED', undefined],
    ['PAUSED', 'ONGOING', undefined],
    ['ONGOING', 'COMPLETE', 'It is over'],
    ['PAUSED', 'COMPLETE', 'It is over'],
    ['COMPLETE', 'ONGOING', 'A second cohort arrived'],
  ] as const;
  it.each(allowed)('3.2 goes from %s to %s, with an audit row', async (from, status, reason) => {
    await startAs(from);
    const changed = await setImportSupplierStatus(context, { code, status, reason });
    expect(ImportSupplier.parse(changed).status).toBe(status);
    expect(await storedStatus()).toBe(status);
    const detail = reason === undefined ? { status } : { status, reason };
    expect(await changes()).toMatchObject([{ action: 'status_set', actor: 'staff', detail }]);
  });

  const refused = [
    ['COMPLETE', 'ONGOING', undefined, 'reason'],
    ['COMPLETE', 'PAUSED', undefined, 'status'],
    ['COMPLETE', 'PAUSED', 'with a reason', 'status'],
  ] as const;
  it.each(refused)('3.2 refuses to go from %s to %s (reason: %s)', async (from, status, reason, attr) => {
    await startAs(from);
    await expect(setImportSupplierStatus(context, { code, status, reason })).rejects.toMatchObject({
      code: 'import_supplier_status_not_allowed',
      errors: [{ attr }],
    });
    expect(await storedStatus()).toBe(from);
    expect(await changes()).toEqual([]);
  });

  it.each(['ONGOING', 'PAUSED', 'COMPLETE'] as const)('3.2 takes %s again without a change', async (status) => {
    await startAs(status);
    expect(await setImportSupplierStatus(context, { code, status })).toMatchObject({ status });
    expect(await changes()).toEqual([]);
  });

  it('3.2 makes one change of many equal calls at once', async () => {
    await startAs('ONGOING');
    const calls = Array.from({ length: 8 }, () => setImportSupplierStatus(context, { code, status: 'PAUSED' }));
    expect((await Promise.all(calls)).every(({ status }) => status === 'PAUSED')).toBe(true);
    expect(await changes()).toHaveLength(1);
  });

  it('3.2 refuses a code that was never created', async () => {
    await expect(setImportSupplierStatus(context, { code: 'NONE', status: 'PAUSED' })).rejects.toMatchObject({
      code: 'import_supplier_does_not_exist',
      errors: [{ attr: 'code' }],
    });
  });
});
