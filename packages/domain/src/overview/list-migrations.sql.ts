import type { ImportSupplierStatus, MigrationOverview } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';

/** Each import supplier's last sample, and those of the half hour before it: when, and how many accounts were created. */
export const LIST_MIGRATIONS = sql('list-migrations', {
  code: 'text',
  name: 'text',
  status: narrow<ImportSupplierStatus>('text'),
  sampled_at: 'timestamptz | null',
  staged: 'integer',
  failed: 'integer',
  skipped: 'integer',
  completed: 'integer',
  open_problems: 'integer',
  milliseconds_ago: 'integer[] | null',
  completed_then: 'integer[] | null',
  last_reconciliation: narrow<MigrationOverview['last_reconciliation']>('json | null'),
})`
  SELECT
    code,
    name,
    status::text AS status,
    sample.at AS sampled_at,
    coalesce(sample.staged, 0) AS staged,
    coalesce(sample.failed, 0) AS failed,
    coalesce(sample.skipped, 0) AS skipped,
    coalesce(sample.completed, 0) AS completed,
    coalesce(sample.problems, 0) AS open_problems,
    milliseconds_ago,
    completed_then,
    (
      SELECT json_build_object('id', id, 'state', state, 'verdict', verdict, 'finished_at', to_char(finished_at,
        'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'signed_off', signed_off_at IS NOT NULL)
      FROM reconciliations
      WHERE import_supplier_code = code AND state <> 'CANCELLED'
      ORDER BY creation_order DESC
      LIMIT 1
    ) AS last_reconciliation
  FROM import_suppliers
  LEFT JOIN LATERAL (
    SELECT at, staged, failed, skipped, completed, problems
    FROM progress_samples
    WHERE import_supplier_code = code
    ORDER BY at DESC
    LIMIT 1
  ) AS sample ON true
  LEFT JOIN LATERAL (
    SELECT
      array_agg((1000 * extract(epoch FROM sample.at - recent.at))::integer ORDER BY recent.at) AS milliseconds_ago,
      array_agg(recent.completed ORDER BY recent.at) AS completed_then
    FROM progress_samples AS recent
    WHERE status = 'ONGOING'
      AND import_supplier_code = code
      AND recent.at >= sample.at - interval '30 minutes'
  ) AS recent ON true
  ORDER BY code`;
