import { recordFailedAttempt } from '../creation/record-failed-attempt.ts';
import { type RefusedImport, rememberRefusals } from '../refusals/remember-refusal.ts';
import { resolveUnwritten } from '../refusals/settle.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { ChunkLine } from './chunk-line.ts';
import { instructionsOf } from './vendor-answers.ts';
import { type WrittenPart, writeLines } from './write-lines.ts';

/** Thrown to roll a rehearsal back. */
class Rehearsed extends Error {
  override readonly name = 'Rehearsed';
}

/**
 * Writes the lines of a part, and remembers their refusals as those of single calls. A rehearsal rolls back what it has
 * written: nothing is remembered of it.
 */
export async function writePart(writing: Writing, lines: readonly ChunkLine[], tries: number): Promise<WrittenPart> {
  if (writing.work.run_mode === 'REAL') {
    const part = await writeLines(writing, lines, tries);
    await remember(writing, part);
    return part;
  }
  let part: WrittenPart | undefined;
  try {
    await writing.context.database.transaction(async () => {
      part = await writeLines(writing, lines, tries);
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  if (part === undefined) throw new Error('The rehearsal of a chunk has no outcome');
  return part;
}

async function remember(writing: Writing, { done }: WrittenPart): Promise<void> {
  const refused = done.flatMap(({ line, outcome: { outcome, refusal } }) => {
    if (outcome !== 'refused' || refusal === undefined || line.key === undefined) return [];
    const { step: operation, code, errors } = refusal;
    const types = operation === 'payment_instruction' ? typesOf(line) : undefined;
    return [
      { context: contextOf(writing, line), key: line.key, operation, code, errors, types, lacking: lackingOf(line) },
    ];
  });
  await rememberRefusals(writing.context, refused);
  const unchanged = done.flatMap(({ line, outcome: { outcome } }) => (outcome === 'unchanged' ? line : []));
  // The account has all of what was sent last, however it got there.
  await Promise.all(
    unchanged.map(
      (line) => line.kind === 'account' && resolveUnwritten(contextOf(writing, line), line.key.id, 'stage'),
    ),
  );
  for (const { line, outcome, error } of done) {
    if (outcome.outcome === 'failed' && line.kind === 'staged') {
      await recordFailedAttempt(contextOf(writing, line), line.key.id, error);
    }
  }
}

/** A line whose reading failed before its history was an account's. */
function lackingOf(line: ChunkLine): RefusedImport['lacking'] {
  if (line.kind === 'staged') return 'process';
  const isAccount = line.kind === 'account' || (line.kind === 'refused' && line.refusal.step === 'validate');
  return isAccount ? 'stage' : undefined;
}

/** A line adds all of its payment instructions or none. */
const typesOf = (line: ChunkLine): RefusedImport['types'] =>
  line.kind === 'refused' ? line.types : instructionsOf(line).map(({ type }) => type);
