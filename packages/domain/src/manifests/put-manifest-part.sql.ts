import { sql } from '@causeway/db';

/** No row if the part is there; waits for one that is being stored. */
export const ADD_MANIFEST_PART = sql('add-manifest-part', { number: 'integer' })`
  INSERT INTO manifest_parts (manifest_id, number, bytes, lines, sha256, figures, received_at)
  VALUES (${'id'}, ${'number'}, ${'bytes'}, ${'lines'}, ${'sha'}, ${'figures'}::jsonb, ${'at'})
  ON CONFLICT DO NOTHING
  RETURNING number`;

export const READ_MANIFEST_PART = sql('read-manifest-part', {
  bytes: 'integer',
  lines: 'integer',
  sha256: 'bytea',
  received_at: 'timestamptz',
})`
  SELECT bytes, lines, sha256, received_at
  FROM manifest_parts
  WHERE manifest_id = ${'id'} AND number = ${'number'}`;

/** Those of the lines whose accounts have none yet. In the order of the ids: parts that name the same wait in order. */
export const ADD_MANIFEST_ACCOUNTS = sql('add-manifest-accounts', { account_import_id: 'uuid' })`
  INSERT INTO manifest_accounts (
    manifest_id, account_import_id, part, external_account_number, transfer_balance, notes, transactions,
    transactions_sum, by_type, statements, statements_gross, payment_instruction, fingerprint
  )
  SELECT
    ${'id'}, account_import_id, ${'number'}, external_account_number, transfer_balance, notes, transactions,
    transactions_sum, by_type, statements, statements_gross, payment_instruction, fingerprint
  FROM jsonb_to_recordset(${'lines'}::jsonb) AS line (
    account_import_id uuid, external_account_number text, transfer_balance numeric, notes integer,
    transactions integer, transactions_sum numeric, by_type jsonb, statements integer, statements_gross numeric,
    payment_instruction boolean, fingerprint numeric
  )
  ORDER BY account_import_id
  ON CONFLICT DO NOTHING
  RETURNING account_import_id`;

/** Where accounts have their line. */
export const FIND_MANIFEST_ACCOUNTS = sql('find-manifest-accounts', { account_import_id: 'uuid', part: 'integer' })`
  SELECT account_import_id, part
  FROM manifest_accounts
  WHERE manifest_id = ${'id'} AND account_import_id = ANY (${'account_import_ids'}::uuid[])`;
