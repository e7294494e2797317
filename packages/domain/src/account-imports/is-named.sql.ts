import { fragment } from '@causeway/db';

/**
 * Whether the account import `import`, found by its id, is the one that was named (behaviour 15.1.2). Not by `=`: a
 * plan made while the table is empty may take the supplier's index for that, and go through all of its accounts for as
 * long as the statement is prepared.
 */
export const IS_NAMED = fragment`import.import_supplier_code IS NOT DISTINCT FROM ${'import_supplier_code'}
      AND import.external_account_number IS NOT DISTINCT FROM ${'external_account_number'}`;

/** The same, named by a row of `input`. */
export const IS_NAMED_BY_INPUT = fragment`import.import_supplier_code IS NOT DISTINCT FROM input.import_supplier_code
      AND import.external_account_number IS NOT DISTINCT FROM input.external_account_number`;
