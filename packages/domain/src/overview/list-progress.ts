import { LIMITS, type ListProgressRequest, type ProgressSample } from '@causeway/contracts';
import { sql } from '@causeway/db';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { findImportSupplier } from '../import-suppliers/find-import-supplier.ts';

/**
 * How many accounts of an import supplier were in which state over a time, in at most `progress_points` (a limit)
 * samples (behaviour 14.9). An unknown code is `import_supplier_does_not_exist`.
 */
export async function listProgress(
  context: Context,
  { code, from, to }: ListProgressRequest,
): Promise<ProgressSample[]> {
  await findImportSupplier(context, code, 'code');
  const rows = await context.database.query(LIST_PROGRESS, {
    code,
    from: new Date(from),
    to: new Date(to),
    points: LIMITS.progress_points,
  });
  return rows.map(({ at, ...counts }) => ({ at: utcDatetime(at), ...counts }));
}

/** The last sample of each of `points` equal parts of a time. */
const LIST_PROGRESS = sql('list-progress', {
  at: 'timestamptz',
  staged: 'integer',
  failed: 'integer',
  skipped: 'integer',
  completed: 'integer',
})`
  SELECT at, staged, failed, skipped, completed
  FROM (
    SELECT DISTINCT ON (part) at, staged, failed, skipped, completed,
      date_bin(
        (${'to'}::timestamptz - ${'from'}::timestamptz) / ${'points'}::integer,
        at,
        ${'from'}::timestamptz
      ) AS part
    FROM progress_samples
    WHERE import_supplier_code = ${'code'}
      AND at >= ${'from'}::timestamptz
      AND at < ${'to'}::timestamptz
    ORDER BY part, at DESC
  ) AS last_of_part
  ORDER BY at`;
