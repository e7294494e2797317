import type { LodgedLine, ManifestLinesRequest } from '@causeway/contracts';
import { type Database, narrow, rawSql, sql } from '@causeway/db';
import type { Context } from '../shared/context.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { cutPage, pageSize } from '../shared/list-page.ts';
import { findManifest, manifestStateNotAllowed } from './get-manifest.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * One page of the lines of a manifest (behaviour 22.4), always in the same order: `limit` (default 1,000) after the
 * account number `after`. Refuses with `manifest_does_not_exist`, and with `manifest_state_not_allowed` if it is
 * WITHDRAWN: its lines are being removed.
 */
export async function listManifestLines(
  context: Context,
  request: ManifestLinesRequest,
): Promise<{ records: LodgedLine[]; next?: { after: string } }> {
  const { id, state, import_supplier_code } = await findManifest(context, request.manifest_id);
  if (state === 'WITHDRAWN') throw manifestStateNotAllowed(state, 'has no lines');
  const rows = await context.database.query(LIST_MANIFEST_LINES, {
    id,
    after_id: request.after === undefined ? FIRST : accountImportId(import_supplier_code, request.after),
    limit: pageSize(request) + 1,
  });
  const lines = rows.map(({ line }) => line);
  return cutPage(lines, pageSize(request), ({ external_account_number }) => ({ after: external_account_number }));
}

/** `limit` lines behind the place `after_id`, without the figures that they do not claim. */
const LIST_MANIFEST_LINES = sql('list-manifest-lines', { line: narrow<LodgedLine>('json') })`
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

/**
 * Removes the lines of manifests that are withdrawn, in batches (behaviour 22.4.3). Safe to run concurrently with
 * everything else, including other instances' removals.
 */
export async function removeManifestLines(database: Database): Promise<void> {
  for (const { id } of await database.query(FIND_WITHDRAWN_MANIFESTS, {})) {
    while ((await database.query(REMOVE_MANIFEST_LINES, { id })).length > 0);
  }
}

/** Small enough that the statement ends long before its time-out. */
const REMOVED_AT_ONCE = rawSql('5000');

/** Those that are withdrawn and have lines, unless one of their reconciliations has not ended: it would miss them. */
const FIND_WITHDRAWN_MANIFESTS = sql('find-withdrawn-manifests', { id: 'uuid' })`
  SELECT id
  FROM manifests AS manifest
  WHERE state = 'WITHDRAWN'
    AND EXISTS (
      SELECT
      FROM manifest_accounts
      WHERE manifest_id = manifest.id
    )
    AND NOT EXISTS (
      SELECT
      FROM reconciliations
      WHERE manifest_id = manifest.id AND state IN ('PLANNING', 'RUNNING')
    )
  ORDER BY id`;

const REMOVE_MANIFEST_LINES = sql('remove-manifest-lines', { account_import_id: 'uuid' })`
  DELETE FROM manifest_accounts
  WHERE manifest_id = ${'id'} AND account_import_id IN (
    SELECT account_import_id
    FROM manifest_accounts
    WHERE manifest_id = ${'id'}
    ORDER BY account_import_id
    LIMIT ${REMOVED_AT_ONCE}
  )
  RETURNING account_import_id`;
