import { sql } from '@causeway/db';

/** The last sample of each of `points` equal parts of a time. */
export const LIST_PROGRESS = sql('list-progress', {
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
