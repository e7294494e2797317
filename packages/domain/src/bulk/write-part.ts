import { broughtBy } from '@causeway/book';
import { recordFailedAttempt } from '../creation/record-failed-attempt.ts';
import { type RefusedImport, rememberRefusals } from '../refusals/remember-refusal.ts';
import { settleLines } from '../refusals/settle-lines.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { ChunkLine, RefusedChunkLine, WritableLine } from './chunk-line.ts';
import type { DoneLine } from './result-files.ts';
import { withoutHistory } from './stage-and-create.ts';
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
  const { context } = writing;
  await rememberRefusals(
    context,
    done.flatMap((each) => refusalOf(writing, each) ?? []),
  );
  const found = done.flatMap(({ line, outcome: { outcome } }) =>
    outcome === 'unchanged' && line.kind === 'account' ? line.key.id : [],
  );
  await settleLines(context.database, { ids: found, now: context.clock(), isFound: true });
  for (const { line, outcome, error } of done) {
    if (outcome.outcome === 'failed' && line.kind === 'staged') {
      await recordFailedAttempt(contextOf(writing, line), line.key.id, error);
    }
  }
}

/**
 * The refusal of a line. One with an account was to be whole, whatever of it was refused; one with history is refused as
 * the call of its import would be.
 */
function refusalOf(writing: Writing, { line, outcome }: DoneLine): RefusedImport | undefined {
  const { refusal } = outcome;
  if (outcome.outcome !== 'refused' || refusal === undefined || line.key === undefined) return undefined;
  const { step, code, errors } = refusal;
  const of = { context: contextOf(writing, line), key: line.key, code, errors };
  // What is staged was refused as it is: its creation resolves that.
  if (line.kind === 'staged') return { ...of, operation: 'process' };
  const refused = line.kind === 'refused' ? line : accountOf(line);
  if (refused?.brings !== undefined)
    return { ...of, operation: 'line', brings: refused.brings, account: refused.account };
  const types = line.kind === 'refused' ? line.types : instructionsOf(line).map(({ type }) => type);
  return { ...of, operation: step, ...(step === 'payment_instruction' && { types }) };
}

function accountOf(line: WritableLine): Pick<RefusedChunkLine, 'brings' | 'account'> | undefined {
  if (line.kind !== 'account') return undefined;
  const { request } = line.account;
  return { brings: broughtBy(request), account: withoutHistory(request) };
}
