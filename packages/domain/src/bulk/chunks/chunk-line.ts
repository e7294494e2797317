import type { AccountLine, Brought, HistoryLine, LineRefusal } from '@causeway/book';
import type { DecidedHistory } from '../../creation/prepare-bundle.ts';
import type { AccountKey } from '../../shared/derived-id.ts';
import type { RefusedField } from '../../shared/refused-fields.ts';
import type { AccountFigures } from './line-outcome.ts';

/** What every line of a chunk has. */
interface AnyLine {
  /** From 1, in the upload or the cohort. */
  number: number;
  /** As it was sent; absent in a cohort. */
  sent?: Buffer | undefined;
  /** What was accepted and is told: undocumented and doubtful fields, and what today's rules would refuse. */
  warnings?: readonly RefusedField[] | undefined;
}

/** A line that stages, or stages and creates, an account. */
export interface AccountChunkLine extends AnyLine {
  kind: 'account';
  key: AccountKey;
  account: AccountLine['account'];
  /** As of the line that was read. */
  omitted?: number | undefined;
}

/** A line that adds history to an account that exists. */
export interface HistoryChunkLine extends AnyLine {
  kind: 'history';
  key: AccountKey;
  history: HistoryLine;
}

/** An account of a cohort, with its history as the rules have decided it. */
export interface StagedChunkLine extends AnyLine {
  kind: 'staged';
  key: AccountKey;
  decided: DecidedHistory;
  figures: AccountFigures;
}

/** An account that is to be undone, unless it was written to since `revision`. */
export interface CreatedChunkLine extends AnyLine {
  kind: 'created';
  key: AccountKey;
  revision: number;
}

/** A line that the rules refuse. Without a key the refusal is that of a line, not of an account. */
export interface RefusedChunkLine extends AnyLine {
  kind: 'refused';
  key?: AccountKey | undefined;
  external_account_number?: string | undefined;
  refusal: LineRefusal;
  /** What it was to bring; undefined of what cannot be read as a line. */
  brings?: Brought | undefined;
}

/** A line that may be written. */
export type WritableLine = AccountChunkLine | HistoryChunkLine | StagedChunkLine | CreatedChunkLine;
export type ChunkLine = WritableLine | RefusedChunkLine;
