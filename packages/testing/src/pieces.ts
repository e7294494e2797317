import type { Writable } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Random } from './random.ts';

/** A buffer of a body, and how long to wait before it is sent. */
export interface Piece {
  bytes: Uint8Array;
  pauseMs: number;
}

export interface PieceLimits {
  /** Default: 50. */
  mostPieces?: number;
  /** Default: 3 ms. */
  longestPauseMs?: number;
}

/**
 * Cuts a body at random positions, even inside a character, into 1 to 50 pieces: in half of all cases without pauses,
 * otherwise with random pauses. Concatenated they are the body; an empty body has no pieces.
 */
export function drawPieces(random: Random, body: Uint8Array, limits: PieceLimits = {}): Piece[] {
  const { mostPieces = 50, longestPauseMs = 3 } = limits;
  if (body.length === 0) return [];
  // Few pieces are as likely as many: most clients send two that arrive together.
  const most = random.chance(0.5) ? Math.min(3, mostPieces) : mostPieces;
  const cuts = Array.from({ length: random.integer(1, most) - 1 }, () => random.integer(1, body.length));
  const ends = [...new Set([...cuts, body.length])].toSorted((one, other) => one - other);
  const pausesUpToMs = random.chance(0.5) ? 0 : longestPauseMs;
  return ends.map((end, index) => ({
    bytes: body.subarray(ends[index - 1] ?? 0, end),
    pauseMs: random.integer(0, pausesUpToMs),
  }));
}

/** Writes each piece in its own turn of the event loop; stops when the other side has closed the stream. */
export async function writePieces(stream: Writable, pieces: readonly Piece[]): Promise<void> {
  for (const { bytes, pauseMs } of pieces) {
    await (pauseMs === 0 ? nextTurn() : delay(pauseMs));
    if (!stream.writable) return;
    stream.write(bytes);
  }
}
