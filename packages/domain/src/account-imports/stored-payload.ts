import type { AccountPayload } from '@causeway/contracts';
import type { ImportSupplierConfiguration } from '../import-suppliers/find-import-supplier.sql.ts';
import { inMajorUnit } from '../statements/major-unit.ts';

/**
 * The payload as it is staged: the amounts of its statements are in the major unit. They are converted now, so that a
 * later change of the import supplier's setting does not change what was meant.
 */
export function storedPayload(payload: AccountPayload, supplier: ImportSupplierConfiguration): AccountPayload {
  return payload.statements === undefined
    ? payload
    : { ...payload, statements: inMajorUnit(payload.statements, supplier) };
}
