import { z } from 'zod';

/** The field in which a procedure's input names the import supplier. */
export type SupplierField = 'import_supplier' | 'import_supplier_code';

/** The field that the schema documents: the other one would be undocumented, and must have no effect. */
export function supplierFieldOf(schema: z.ZodType | undefined): SupplierField {
  return schema instanceof z.ZodObject && 'import_supplier' in schema.shape
    ? 'import_supplier'
    : 'import_supplier_code';
}
