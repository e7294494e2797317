import type { ImportOperation, KeptField } from '@causeway/contracts';
import type { KeptFieldsRow } from './kept-fields.sql.ts';

/** What is kept of an account, field by field, in the order in which it was sent. */
export function keptFieldsOf(kept: KeptFieldsRow[] | null): KeptField[] {
  return (kept ?? []).flatMap(({ operation, fields }) =>
    fields.map(({ path, value }) => ({ operation: operation as ImportOperation, path, value })),
  );
}
