import { sql } from '@causeway/db';

export const STORED_REFERENCES = sql('stored-payment-reference', { identifier: 'text' })`
  SELECT reference AS identifier
  FROM payment_instructions
  WHERE account_import_id = ${'account_import_id'} AND reference = ANY (${'identifiers'})`;
