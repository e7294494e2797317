import { zstdCompressSync } from 'node:zlib';
import { failedRow } from '@causeway/book';
import type { BulkRunMode } from '@causeway/contracts';
import type { ChunkLine } from './chunk-line.ts';
import type { LineOutcome, StepCounts } from './line-outcome.ts';

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

/** The transactions of zero that were left out of a line; of one that was refused nothing was. */
export function omittedOf({ line, outcome: { refusal } }: DoneLine): number {
  if (refusal !== undefined) return 0;
  return (line.kind === 'history' ? line.history.omitted : line.kind === 'account' ? line.omitted : 0) ?? 0;
}

function stepsOf(done: DoneLine): StepCounts | undefined {
  const { steps = {} } = done.outcome;
  const omitted = omittedOf(done);
  const all =
    omitted === 0 ? steps : { ...steps, transactions: { added: 0, existing: 0, ...steps.transactions, omitted } };
  return Object.keys(all).length > 0 ? all : undefined;
}

/**
 * The result lines as a zstd frame: frames one after the other are one file. An account that a rehearsal created has no
 * number: the real run draws another.
 */
export function resultsOf(done: readonly DoneLine[], runMode: BulkRunMode): Buffer {
  return frameOf(
    done.map((each) => {
      const { line, outcome: happened } = each;
      const { outcome, service_account_number, refusal } = happened;
      return JSON.stringify({
        line: line.number,
        external_account_number: numberOf(line) ?? null,
        outcome,
        service_account_number: runMode === 'REHEARSAL' && outcome === 'created' ? undefined : service_account_number,
        steps: stepsOf(each),
        ...refusal,
        remarks: refusal === undefined && line.warnings?.length ? line.warnings : undefined,
      });
    }),
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
