import { type Fragment, fragment, sql } from '@causeway/db';

function pageBy(order: Fragment) {
  return fragment`
    AND import.state = 'COMPLETED'
    AND ${order} > ${'after'}::bigint
    AND (
      ${'starts_with'}::text IS NULL
      OR import.external_account_number LIKE ${'starts_with'} || '%'
      OR import.service_account_number LIKE ${'starts_with'} || '%'
    )
  ORDER BY ${order}
  LIMIT ${'limit'}`;
}

/** Created accounts without an open refusal, oldest staged first. */
export const COMPLETE_ACCOUNTS = sql('list-complete-accounts', { id: 'uuid' })`
  SELECT import.id
  FROM account_imports AS import
  WHERE import.import_supplier_code = ${'code'}
    AND NOT EXISTS (SELECT FROM incomplete_accounts WHERE account_import_id = import.id)
    ${pageBy(fragment`import.staging_order`)}`;

/** Created accounts with one: in the order of an index of their own, however many there are. */
export const INCOMPLETE_ACCOUNTS = sql('list-incomplete-accounts', { id: 'uuid' })`
  SELECT import.id
  FROM incomplete_accounts AS incomplete
  CROSS JOIN LATERAL (
    SELECT *
    FROM account_imports
    WHERE id = incomplete.account_import_id
    OFFSET 0
  ) AS import
  WHERE incomplete.import_supplier_code = ${'code'}
    ${pageBy(fragment`incomplete.staging_order`)}`;
