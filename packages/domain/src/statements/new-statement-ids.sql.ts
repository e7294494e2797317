import { sql } from '@causeway/db';

export const STORED_STATEMENT_IDS = sql('stored-statement-ids', { identifier: 'text' })`
  SELECT statement_id AS identifier
  FROM statements
  WHERE account_import_id = ${'account_import_id'} AND statement_id = ANY (${'identifiers'})`;
