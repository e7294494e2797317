import type { BulkJobKind, BulkJobOptions, BulkRunMode } from '@causeway/contracts';
import type { Actor } from '../../shared/actor.ts';
import type { Context, Dependencies } from '../../shared/context.ts';
import type { ImportSupplierConfiguration } from '../../shared/find-import-supplier.ts';

/** What lanes need from their environment. */
export interface BulkDependencies extends Dependencies {
  /** The most bytes that the account of a line may have: those of a request's body. */
  maxLineBytes: number;
  /** When this version began to run: what was staged since then was read by its rules. */
  startedAt: Date;
}

/** Which job is undone, and how. */
export interface Undoing {
  job_id: string;
  reason: string | null;
  tell_again: boolean;
}

/** A job that was started, as a lane works on it. */
export interface BulkWork {
  id: string;
  kind: BulkJobKind;
  import_supplier_code: string;
  options: BulkJobOptions;
  /** Of a job that undoes another one. */
  undoing?: Undoing | undefined;
  run: number;
  run_mode: BulkRunMode;
  /** Who has started it, or resumed it last. */
  actor: Actor;
}

/** Why the service pauses a job. */
export type PauseReason =
  | 'import_supplier_not_ongoing'
  | 'too_many_refused'
  | 'operations_team_gone'
  | 'chunk_keeps_failing'
  | 'api_key_revoked';

/** Thrown within a chunk's transaction: the whole job cannot continue. */
export class PausesJob extends Error {
  override readonly name = 'PausesJob';
  readonly reason: PauseReason;

  constructor(reason: PauseReason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}

/** Thrown within a chunk's transaction: neither its lines nor the service are at fault, and later it may succeed. */
export class TriesLater extends Error {
  override readonly name = 'TriesLater';
}

/** The context in which the service works on a run: on behalf of who started the job, or resumed it last. */
export function runContext(dependencies: BulkDependencies, { id, run, actor }: BulkWork): Context {
  return { ...dependencies, actor, requestId: `bulk:${id}/${run}` };
}

/** Where and for whom the lines of a chunk are written: `context.database` is the chunk's transaction. */
export interface Writing {
  context: Context;
  work: BulkWork;
  dependencies: BulkDependencies;
  supplier: ImportSupplierConfiguration;
  operationsTeamName: string;
}

/** The context of one line: its audit events and refusals name the job, the run and the line. */
export function contextOf(
  { context, work }: Pick<Writing, 'context' | 'work'>,
  { number }: { number: number },
): Context {
  return { ...context, requestId: `bulk:${work.id}/${work.run}/${number}` };
}
