import type { LodgedLine, ManifestLinesRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { accountImportId } from '../derived-id.ts';
import { pageSize } from '../list-page.ts';
import { findManifest, manifestStateNotAllowed } from './find-manifest.ts';
import { LIST_MANIFEST_LINES } from './list-manifest-lines.sql.ts';

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
  const records = rows.slice(0, pageSize(request)).map(({ line }) => line);
  const last = records.at(-1);
  const isLast = last === undefined || records.length === rows.length;
  return isLast ? { records } : { records, next: { after: last.external_account_number } };
}
