import type { BulkJobRecord, BulkJobSelection } from '@causeway/contracts';
import { utcDatetime } from '../dates.ts';
import type { BulkJobRow } from './bulk-job.sql.ts';

const datetime = (instant: Date | null) => (instant === null ? null : utcDatetime(instant));

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
    started_at: datetime(row.started_at),
    paused_at: datetime(row.paused_at),
    finished_at: datetime(row.finished_at),
    files_expire_at: datetime(row.files_expire_at),
  };
}

/** The selection of a job that has one. */
export function selectionOf({ kind, selection }: BulkJobRow): BulkJobSelection | null {
  return kind === 'PROCESS' ? selection : null;
}
