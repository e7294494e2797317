import { sql } from '@causeway/db';

export const STAGED_ACCOUNT_NUMBERS = sql('staged-account-number', { identifier: 'text' })`
  SELECT external_account_number AS identifier
  FROM account_imports
  WHERE id = ${'account_import_id'} AND external_account_number = ANY (${'identifiers'})`;
