import type { AccountImportState } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/** In the order of the ids of the account imports, after one of them: a range of the problem's accounts. */
export const LIST_BY_PROBLEM = sql('list-by-problem', {
  external_account_number: 'text',
  service_account_number: 'text | null',
  state: narrow<AccountImportState | null>('text | null'),
  times: 'integer',
  request_id: 'text',
  last_seen_at: 'timestamptz',
})`
  SELECT
    refusal.external_account_number,
    import.service_account_number,
    import.state::text AS state,
    refusal.times,
    refusal.request_id,
    refusal.last_seen_at
  FROM (
    SELECT account_import_id
    FROM import_problem_accounts
    WHERE problem_id = ${'problem_id'} AND account_import_id > ${'after_id'}
    ORDER BY account_import_id
    LIMIT ${'limit'}
  ) AS affected
  CROSS JOIN LATERAL (
    SELECT *
    FROM account_import_refusals
    WHERE account_import_id = affected.account_import_id
      AND operation = ${'operation'}
      AND reported = ${'reported'}
  ) AS refusal
  LEFT JOIN account_imports AS import ON import.id = affected.account_import_id
  ORDER BY affected.account_import_id`;
