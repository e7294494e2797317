import { sql } from '@causeway/db';
import { DomainError } from '../../shared/errors.ts';
import type { Writing } from './bulk-work.ts';
import type { AccountChunkLine, StagedChunkLine, WritableLine } from './chunk-line.ts';
import { addedBy, creationOf, figuresOf, stepsOf } from './decide-line.ts';
import { refusalOfLine } from './in-step.ts';
import { type LineOutcome, refused } from './line-outcome.ts';
import { type CreatingLine, createLines, stageLines } from './stage-and-create.ts';
import { undoLines } from './undo-lines.ts';

/** What happened to lines, by their numbers. */
export type Outcomes = Map<number, LineOutcome>;

/** Thrown so that everything is rolled back: these lines were staged, and their accounts could not be created. */
class HalfWritten extends Error {
  override readonly name = 'HalfWritten';
  readonly numbers: ReadonlySet<number>;

  constructor(numbers: ReadonlySet<number>) {
    super('Accounts were staged and not created');
    this.numbers = numbers;
  }
}

/**
 * Writes lines by one statement for each step, and says what happened to those that it could write or refuse: each all or
 * nothing. What is missing in the answer was not written, and has to be done line by line.
 */
export async function writeTogether(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  try {
    return await writeOnce(writing, lines);
  } catch (error) {
    if (!(error instanceof HalfWritten)) throw error;
    const others = lines.filter(({ number }) => !error.numbers.has(number));
    return writeOnce(writing, others);
  }
}

function writeOnce(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  const write = { STAGE: stageTogether, MOVE: moveTogether, PROCESS: createTogether, UNDO: undoTogether }[
    writing.work.kind
  ];
  return writing.context.database.transaction(() => write(writing, lines));
}

async function stageTogether(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  const staging = lines.filter((line) => line.kind === 'account');
  const staged = await stageLines(writing, staging);
  return outcomesOf(staging, (line) => stagedOutcome(line, staged.get(line.key.id)));
}

/** What happened to a line whose account was staged this many times by now. */
export function stagedOutcome({ account }: AccountChunkLine, times: number | undefined): LineOutcome | undefined {
  if (times === undefined) return undefined;
  return times === 1 ? { outcome: 'created', added: { account: figuresOf(account.request) } } : { outcome: 'updated' };
}

async function moveTogether(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  const all = lines.filter((line) => line.kind === 'account');
  const existing = await writing.context.database.query(CREATED_ALREADY, { ids: all.map(({ key }) => key.id) });
  const known = new Set(existing.map(({ id }) => id));
  const accounts = all.filter(({ key }) => !known.has(key.id));
  const { creations, refusals } = await prepare(writing, accounts);
  const times = await stageLines(
    writing,
    accounts.filter(({ number }) => !refusals.has(number)),
  );
  const staged = creations.flatMap((line) => {
    const times_staged = times.get(line.key.id);
    return times_staged === undefined ? [] : [{ ...line, bundle: { ...line.bundle, times_staged } }];
  });
  const created = await createLines(writing, staged);
  const half = staged.filter(({ key }) => !created.has(key.id));
  if (half.length > 0) throw new HalfWritten(new Set(half.map(({ number }) => number)));
  return new Map([...refusals, ...outcomesOf(staged, (line) => createdOutcome(line, created.get(line.key.id)))]);
}

/** Those of these accounts that exist: of their history nothing is decided, and no payment vendor asked. */
const CREATED_ALREADY = sql('created-already', { id: 'uuid' })`
  SELECT id
  FROM (
    SELECT id, state
    FROM account_imports
    WHERE id = ANY (${'ids'})
    OFFSET 0
  ) AS known
  WHERE state = 'COMPLETED'`;

async function createTogether(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  const staged = lines.filter((line) => line.kind === 'staged');
  const { creations, refusals } = await prepare(writing, staged);
  const created = await createLines(writing, creations);
  return new Map([...refusals, ...outcomesOf(creations, (line) => createdOutcome(line, created.get(line.key.id)))]);
}

async function undoTogether(writing: Writing, lines: readonly WritableLine[]): Promise<Outcomes> {
  return undoLines(
    writing,
    lines.filter((line) => line.kind === 'created'),
  );
}

/** The creations of lines, and the refusals of those whose history the rules or the payment vendor refuse. */
async function prepare(writing: Writing, lines: readonly (AccountChunkLine | StagedChunkLine)[]) {
  const creations: CreatingLine[] = [];
  const refusals: Outcomes = new Map();
  for (const line of lines) {
    try {
      creations.push(await creationOf(writing, line));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.set(line.number, refused(refusalOfLine(error)));
    }
  }
  return { creations, refusals };
}

/** What happened to a line whose account was created under this number. */
export function createdOutcome(
  { figures, bundle }: Pick<CreatingLine, 'bundle' | 'figures'>,
  service_account_number: string | undefined,
): LineOutcome | undefined {
  if (service_account_number === undefined) return undefined;
  const added = addedBy(figures, bundle);
  return { outcome: 'created', service_account_number, steps: stepsOf(added), added };
}

function outcomesOf<Line extends { number: number }>(
  lines: readonly Line[],
  outcomeOf: (line: Line) => LineOutcome | undefined,
): Outcomes {
  return new Map(
    lines.flatMap((line) => {
      const outcome = outcomeOf(line);
      return outcome === undefined ? [] : [[line.number, outcome] as const];
    }),
  );
}
