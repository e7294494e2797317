import type { LodgedLine } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/** `limit` lines behind the place `after_id`, without the figures that they do not claim. */
export const LIST_MANIFEST_LINES = sql('list-manifest-lines', { line: narrow<LodgedLine>('json') })`
  SELECT json_strip_nulls(json_build_object(
    'external_account_number', external_account_number,
    'transfer_balance', transfer_balance::text,
    'notes', notes,
    'transactions', transactions,
    'transactions_sum', transactions_sum::text,
    'by_type', by_type,
    'statements', statements,
    'statements_gross', statements_gross::text,
    'payment_instruction', payment_instruction,
    'fingerprint', fingerprint::text
  )) AS line
  FROM manifest_accounts
  WHERE manifest_id = ${'id'} AND account_import_id > ${'after_id'}
  ORDER BY account_import_id
  LIMIT ${'limit'}`;
