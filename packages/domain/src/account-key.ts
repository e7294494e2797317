import { accountImportId } from './derived-id.ts';

/** What identifies one account import: the two names, as its columns have them, and the id derived from both. */
export interface AccountKey {
  id: string;
  import_supplier_code: string;
  external_account_number: string;
}

/** The key of an account import, whether or not there is one. */
export function accountKey(importSupplierCode: string, externalAccountNumber: string): AccountKey {
  return {
    id: accountImportId(importSupplierCode, externalAccountNumber),
    import_supplier_code: importSupplierCode,
    external_account_number: externalAccountNumber,
  };
}
