import type { BulkJobRecord, BulkJobSelection } from '@causeway/contracts';
import { utcDatetime, utcDatetimeOrNull } from '../dates.ts';
import type { BulkJobRow } from './bulk-job.sql.ts';

/** A job as a list has it. */
export function bulkJobRecord(row: BulkJobRow): BulkJobRecord {
  return {
    id: row.id,
    import_supplier: row.import_supplier_code,
    kind: row.kind,
    label: row.label,
    state: row.state,
    state_reason: row.state_reason,
    run: row.run,
    run_mode: row.run_mode,
    lines: row.lines,
    created_at: utcDatetime(row.created_at),
    started_at: utcDatetimeOrNull(row.started_at),
    paused_at: utcDatetimeOrNull(row.paused_at),
    finished_at: utcDatetimeOrNull(row.finished_at),
    files_expire_at: utcDatetimeOrNull(row.files_expire_at),
  };
}

/** The selection of a job that has one. */
export function selectionOf({ kind, selection }: BulkJobRow): BulkJobSelection | null {
  return kind === 'PROCESS' ? selection : null;
}
