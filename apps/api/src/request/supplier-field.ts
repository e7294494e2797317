import type { z } from 'zod';

/** The name under which a procedure's input names the import supplier. */
export type SupplierField = 'import_supplier' | 'import_supplier_code';

/** The one that the schema documents: the other would be an undocumented field, and must choose nothing. */
export function supplierFieldOf(schema: z.ZodObject | undefined): SupplierField {
  return schema !== undefined && 'import_supplier' in schema.shape ? 'import_supplier' : 'import_supplier_code';
}
