import { zstdCompressSync } from 'node:zlib';
import { failedRow } from '@causeway/book';
import type { BulkRunMode } from '@causeway/contracts';
import type { ChunkLine } from './chunk-line.ts';
import type { LineOutcome } from './line-outcome.ts';

/** A line and what happened to it. */
export interface DoneLine {
  line: ChunkLine;
  outcome: LineOutcome;
  /** Of one that the service has failed at. */
  error?: unknown;
}

/** The account number that a line names, if it names one. */
export function numberOf(line: ChunkLine): string | undefined {
  return line.key?.external_account_number ?? (line.kind === 'refused' ? line.external_account_number : undefined);
}

/**
 * The result lines as a zstd frame: frames one after the other are one file. An account that a rehearsal created has no
 * number: the real run draws another.
 */
export function resultsOf(done: readonly DoneLine[], runMode: BulkRunMode): Buffer {
  return frameOf(
    done.map(({ line, outcome: { outcome, service_account_number, steps, refusal } }) =>
      JSON.stringify({
        line: line.number,
        external_account_number: numberOf(line) ?? null,
        outcome,
        service_account_number: runMode === 'REHEARSAL' && outcome === 'created' ? undefined : service_account_number,
        steps: steps !== undefined && Object.keys(steps).length > 0 ? steps : undefined,
        ...refusal,
        remarks: refusal === undefined && line.warnings?.length ? line.warnings : undefined,
      }),
    ),
  );
}

/** The lines that were refused or failed, exactly as sent, as a frame; null if none was. A cohort has no lines. */
export function failedRowsOf(done: readonly DoneLine[]): Buffer | null {
  const rows = done.flatMap(({ line: { number, sent }, outcome: { refusal } }) =>
    refusal === undefined || sent === undefined ? [] : [failedRow({ number, bytes: sent }, refusal)],
  );
  return rows.length === 0 ? null : zstdCompressSync(Buffer.concat(rows));
}

function frameOf(lines: readonly string[]): Buffer {
  return zstdCompressSync(lines.map((line) => `${line}\n`).join(''));
}
