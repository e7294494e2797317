import type { AccountPayload } from '@causeway/contracts';
import { resolveUnwritten } from '../refusals/settle.ts';
import type { Context } from '../shared/context.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { storedPayload } from './stage-account.ts';

/**
 * The validated account, as staging would store it (behaviour 4.1). Every rule was applied before; only the existence
 * of the import supplier is left to check: `import_supplier_does_not_exist`. Stores nothing; an open refusal of its
 * validation is resolved.
 */
export async function validateAccount(context: Context, payload: AccountPayload): Promise<AccountPayload> {
  const { import_supplier, external_account_number } = payload;
  const supplier = await findImportSupplier(context, import_supplier, 'import_supplier');
  const stored = storedPayload(payload, supplier);
  await resolveUnwritten(context, accountImportId(import_supplier, external_account_number), 'validate');
  return stored;
}
