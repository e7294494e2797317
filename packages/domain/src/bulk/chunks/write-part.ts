import { type Brought, broughtBy } from '@causeway/book';
import { recordFailedAttempt } from '../../creation/record-failed-attempt.ts';
import { detailOfLine, type RefusedImport, rememberRefusals } from '../../refusals/remember-refusal.ts';
import { type AcceptedLine, settleLines } from '../../refusals/settle.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { AccountChunkLine, ChunkLine, HistoryChunkLine } from './chunk-line.ts';
import type { DoneLine } from './result-files.ts';
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
  await settleLines(context.database, done.flatMap(acceptedOf), context.clock());
  for (const { line, outcome, error } of done) {
    if (outcome.outcome === 'failed' && line.kind === 'staged') {
      await recordFailedAttempt(contextOf(writing, line), line.key.id, error);
    }
  }
}

/** The refusal of a line, whatever of it was refused. */
function refusalOf(writing: Writing, { line, outcome }: DoneLine): RefusedImport | undefined {
  const { refusal } = outcome;
  if (outcome.outcome !== 'refused' || refusal === undefined || line.key === undefined) return undefined;
  const { code, errors } = refusal;
  const of = { context: contextOf(writing, line), key: line.key, code, errors };
  // What is staged was refused as it is: its creation resolves that.
  if (line.kind === 'staged') return { ...of, operation: 'process' };
  // What is kept is as it was.
  if (line.kind === 'created') return undefined;
  const brings = line.kind === 'refused' ? line.brings : bringsOf(line);
  return brings && { ...of, operation: 'line', brings, isStaging: writing.work.kind === 'STAGE' };
}

/** A line that was accepted. Of one with history the imports have settled the rest. */
function acceptedOf({ line, outcome: { outcome, steps } }: DoneLine): AcceptedLine[] {
  if (line.kind !== 'account' && line.kind !== 'history') return [];
  if (outcome === 'refused' || outcome === 'failed') return [];
  const { id } = line.key;
  // Of an account that was there, a line may have less than another one.
  const isRepeat = outcome === 'unchanged' || (outcome === 'updated' && steps !== undefined);
  if (line.kind === 'account' && !isRepeat) return [{ id }];
  const brought = bringsOf(line);
  const instruction = brought.types.length > 0 && { payment_instruction: 'refused' };
  return [{ id, brings: { ...detailOfLine(brought), ...instruction } }];
}

function bringsOf(line: AccountChunkLine | HistoryChunkLine): Brought {
  if (line.kind === 'account') return broughtBy({ account: line.account.request });
  const { notes, transactions, statements, payment_instructions } = line.history;
  return broughtBy({
    notes: notes?.request.notes,
    transactions: transactions?.request.transactions,
    statements: statements?.request.statements,
    payment_instructions: payment_instructions.map(({ request }) => request),
  });
}
