import type { AccountPayload } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';

/**
 * The validated account, as staging would store it (behaviour 4.1). Every rule was applied before; only the existence
 * of the import supplier is left to check: `import_supplier_does_not_exist`. Stores nothing.
 */
export async function validateAccount(context: Context, payload: AccountPayload): Promise<AccountPayload> {
  await findImportSupplier(context, payload.import_supplier, 'import_supplier');
  return payload;
}
