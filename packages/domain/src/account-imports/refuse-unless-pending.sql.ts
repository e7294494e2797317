import { sql } from '@causeway/db';
import { IS_NAMED } from './is-named.sql.ts';

export const ACCOUNT_IMPORT_STATE = sql('account-import-state', {
  state: 'account_import_state',
  service_account_number: 'text | null',
})`
  SELECT import.state, account.service_account_number
  FROM account_imports AS import
  LEFT JOIN accounts AS account ON account.account_import_id = import.id
  WHERE import.id = ${'id'}
    AND ${IS_NAMED}`;
