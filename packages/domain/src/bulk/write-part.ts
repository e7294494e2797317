import { carriedBy } from '@causeway/book';
import type { ImportOperation } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { recordFailedAttempt } from '../creation/record-failed-attempt.ts';
import { type RefusedImport, rememberRefusals } from '../refusals/remember-refusal.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { ChunkLine } from './chunk-line.ts';
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
  await rememberRefusals(
    writing.context,
    done.flatMap((each) => refusalsOf(writing, each)),
  );
  const found = done.flatMap(({ line, outcome: { outcome } }) =>
    outcome === 'unchanged' && line.kind === 'account'
      ? { id: line.key.id, operations: ['validate', 'stage', ...carriedBy(line.account.request).imports] }
      : [],
  );
  if (found.length > 0) {
    await writing.context.database.query(RESOLVE_CARRIED, {
      found: JSON.stringify(found),
      now: writing.context.clock(),
    });
  }
  for (const { line, outcome, error } of done) {
    if (outcome.outcome === 'failed' && line.kind === 'staged') {
      await recordFailedAttempt(contextOf(writing, line), line.key.id, error);
    }
  }
}

/**
 * The refusal of a line. If the account is staged, it may be created without the line: then each part that the line was
 * to bring has one, and the account itself unless that is what is staged.
 */
function refusalsOf(writing: Writing, { line, outcome }: DoneLine): RefusedImport[] {
  const { refusal } = outcome;
  if (outcome.outcome !== 'refused' || refusal === undefined || line.key === undefined) return [];
  const { step, code, errors } = refusal;
  const of = { context: contextOf(writing, line), key: line.key, code, errors };
  // What is staged was refused as it is: its creation resolves that.
  if (line.kind === 'staged') return [{ ...of, operation: 'process' }];
  const types = line.kind === 'refused' ? line.types : instructionsOf(line).map(({ type }) => type);
  const refused = (operation: ImportOperation) => ({
    ...of,
    operation,
    ...(operation === 'payment_instruction' && { types }),
  });
  const sent = accountOf(line);
  if (sent === undefined) return [refused(step)];
  const unlessSame = { unlessStagedWith: sent.account };
  const ofAccount: ImportOperation[] = ['validate', 'stage'];
  const others = sent.imports.filter((part) => part !== step).map(refused);
  return [
    { ...refused(step), isCarried: true, ...(ofAccount.includes(step) && others.length > 0 && unlessSame) },
    ...others.map((other) => ({ ...other, isCarried: true, isIfStaged: true })),
    ...(ofAccount.includes(step) ? [] : [{ ...refused('stage'), isCarried: true, isIfStaged: true, ...unlessSame }]),
  ];
}

/** The account of a line, if that is valid, and what the line was to bring with it; undefined for a line without one. */
function accountOf(line: ChunkLine): { account: unknown; imports: readonly ImportOperation[] } | undefined {
  if (line.kind === 'refused') return line.carries && { account: line.account, imports: line.carries };
  if (line.kind !== 'account') return undefined;
  const { request } = line.account;
  return { account: withoutHistory(request), imports: carriedBy(request).imports };
}

/** What a line found all of in its account was to bring, however it got there. */
const RESOLVE_CARRIED = sql('resolve-carried-refusals')`
  WITH carried AS MATERIALIZED (
    SELECT refusal.account_import_id, refusal.operation, refusal.reported
    FROM json_to_recordset(${'found'}::json) AS found (id uuid, operations text[])
    JOIN account_import_refusals AS refusal ON refusal.account_import_id = found.id
      AND refusal.operation = ANY (found.operations)
    WHERE refusal.is_carried AND refusal.resolved_at IS NULL
    ORDER BY refusal.account_import_id, refusal.operation, refusal.reported
    FOR NO KEY UPDATE OF refusal
  )
  UPDATE account_import_refusals AS refusal
  SET resolved_at = ${'now'}
  FROM carried
  WHERE refusal.account_import_id = carried.account_import_id
    AND refusal.operation = carried.operation
    AND refusal.reported = carried.reported`;
