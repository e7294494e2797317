import { LIMITS } from '@causeway/contracts';
import { isUnavailable } from '@causeway/db';
import { PausesJob, TriesLater, type Writing } from './bulk-work.ts';
import type { ChunkLine, WritableLine } from './chunk-line.ts';
import type { LineOutcome } from './line-outcome.ts';
import type { DoneLine } from './result-files.ts';
import { writeOne } from './write-one.ts';
import { type Outcomes, writeTogether } from './write-together.ts';

/** What happened to the lines of a part, in their order. */
export interface WrittenPart {
  done: DoneLine[];
  /** The error of the service at the line after those: it was not done, and is to be tried again. */
  failure?: unknown;
}

/**
 * Writes the lines of a part within the transaction of its chunk: together, and those that were not written so one by
 * one. An error of the service at one line ends the part before it, so that it is the first of the next one. `tries`
 * are those of the first line: at its fifth it has failed. If the service then fails at every other line too it is not
 * the lines' fault: throws `PausesJob`.
 */
export async function writeLines(writing: Writing, lines: readonly ChunkLine[], tries: number): Promise<WrittenPart> {
  const writable = lines.filter((line) => line.kind !== 'refused');
  const known = await together(writing, writable);
  const done: DoneLine[] = [];
  for (const [index, line] of lines.entries()) {
    const outcome =
      line.kind === 'refused' ? refusedOutcome(line) : (known.get(line.number) ?? (await one(writing, line)));
    if ('failure' in outcome) {
      const { failure } = outcome;
      if (index > 0 || tries < LIMITS.bulk_attempts) return { done, failure };
      if (await failsAtAll(writing, writable.slice(1))) throw new PausesJob('chunk_keeps_failing', { cause: failure });
      done.push({ line, outcome: FAILED, error: failure });
    } else done.push({ line, outcome });
  }
  return { done };
}

const FAILED: LineOutcome = {
  outcome: 'failed',
  refusal: {
    step: 'process',
    code: 'internal_error',
    detail: 'The service failed at this line five times because of an unexpected error. Nothing of it was done.',
    errors: [],
  },
};

const refusedOutcome = ({ refusal }: ChunkLine & { kind: 'refused' }): LineOutcome => ({ outcome: 'refused', refusal });

/** Thrown to roll back what was only tried. */
class Succeeded extends Error {
  override readonly name = 'Succeeded';
}

/** Whether each of some lines fails; what one of them has written is rolled back. */
async function failsAtAll(writing: Writing, lines: readonly WritableLine[]): Promise<boolean> {
  if (lines.length === 0) return false;
  try {
    await writing.context.database.transaction(async () => {
      for (const line of lines) if (!('failure' in (await one(writing, line)))) throw new Succeeded();
    });
    return true;
  } catch (error) {
    if (error instanceof Succeeded) return false;
    throw error;
  }
}

/** None, if one of them fails: then each is tried alone. */
async function together(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  try {
    return await writeTogether(writing, lines);
  } catch (error) {
    if (isOfChunk(error)) throw error;
    return new Map();
  }
}

async function one(writing: Writing, line: WritableLine): Promise<LineOutcome | { failure: unknown }> {
  try {
    return await writeOne(writing, line);
  } catch (error) {
    if (isOfChunk(error)) throw error;
    return { failure: error };
  }
}

/** Not the fault of one line. */
function isOfChunk(error: unknown): boolean {
  return isUnavailable(error) || error instanceof PausesJob || error instanceof TriesLater;
}
