import { sql } from '@causeway/db';

export const STORED_TRANSACTION_IDS = sql('added-transaction-ids', { identifier: 'text' })`
  SELECT DISTINCT transaction_id AS identifier
  FROM transactions
  WHERE account_import_id = ${'account_import_id'} AND transaction_id = ANY (${'identifiers'})`;
