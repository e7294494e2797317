import { sql } from '@causeway/db';

export const COUNT_ACCOUNT_IMPORTS = sql('count-account-imports', { state: 'text', count: 'integer' })`
  SELECT lower(state::text) AS state, count(*)::integer AS count
  FROM account_imports
  GROUP BY state`;
