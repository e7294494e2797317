import { sql } from '@causeway/db';

/** Waits for an import into the account in flight, and blocks others until the end of the transaction. */
export const LOCK_ACCOUNT = sql('lock-account')`
  SELECT FROM accounts
  WHERE account_import_id = ${'id'}
  FOR UPDATE`;
