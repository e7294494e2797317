import path from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type BookBatch, startingWith } from '../book-files/book.ts';
import { openBook } from '../book-files/open-book.ts';
import { refusalLimit } from '../book-files/refusal-limit.ts';
import { openTemporaryDatabase } from '../book-files/temporary-database.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { type CheckAnswer, packLines } from './batch.ts';
import { TotalFindings } from './findings.ts';
import { ProgressView } from './progress-view.ts';
import { type CheckSettings, readSettings, type ValidateOptions } from './read-settings.ts';
import { ReportFiles } from './report-files.ts';
import { SharedMeterPoints } from './shared-meter-points.ts';
import { documentOf, type Outcome, summaryLines } from './summary.ts';
import { tellShared } from './tell-shared.ts';
import { WorkerPool } from './worker-pool.ts';

/** Checks a book offline (behaviour 25.3). */
export async function validate(
  context: Context,
  { words: [files], options }: { words: [string[]]; options: ValidateOptions },
): Promise<Result> {
  const isTooMuch = refusalLimit(options.maxRefused);
  const book = await openBook(files, context);
  const batches = book.batches();
  const first = await batches.next();
  if (first.done) throw nothingIn(files, context);
  const settings = await readSettings(context, options, supplierNamedIn(first.value));
  const folder = options.report ?? `${files[0] === '-' ? 'stdin' : files[0]}.validated`;
  await using report = await ReportFiles.open(path.resolve(context.directory, folder));
  await using pool = new WorkerPool(settings);
  using seen = new SeenAccounts();
  using points = new SharedMeterPoints();
  const total = new TotalFindings();
  const view = new ProgressView(context, book, total);
  const check = new Check({
    pool,
    seen,
    points,
    report,
    total,
    isTooMuch,
    files: book.files,
    onAnswer: () => view.show(),
  });
  await check.all(startingWith(first.value, batches));
  if (modeOf(settings) !== 'OFF') await tellShared(points, { report, total });
  view.clear();
  const outcome: Outcome = {
    files,
    folder,
    settings,
    total,
    ending: endingOf(context, check),
    likeSupplier: options.likeSupplier,
  };
  const document = documentOf(outcome);
  await report.finish(document);
  return { ending: outcome.ending, document, lines: summaryLines(outcome, context.output) };
}

interface CheckParts {
  pool: WorkerPool;
  seen: SeenAccounts;
  points: SharedMeterPoints;
  report: ReportFiles;
  total: TotalFindings;
  isTooMuch: (total: TotalFindings) => boolean;
  files: readonly string[];
  onAnswer: () => void;
}

/** The check of one book: batches are checked at the same time, and their answers are taken in the order of the lines. */
class Check {
  readonly #parts: CheckParts;
  readonly #waiting: { answer: Promise<CheckAnswer>; file: string | undefined }[] = [];

  constructor(parts: CheckParts) {
    this.#parts = parts;
  }

  get isOverLimit(): boolean {
    const { total, isTooMuch } = this.#parts;
    return isTooMuch(total);
  }

  get hasRefused(): boolean {
    return this.#parts.total.refused > 0;
  }

  async all(batches: AsyncIterable<BookBatch>): Promise<void> {
    const { pool, files } = this.#parts;
    for await (const { file: index, lines } of batches) {
      const file = files.length > 1 ? files[index] : undefined;
      const answer = pool.check({ batch: packLines(lines), file, duplicates: [] });
      // Anyone who takes the answer gets the error; the others are not waited for then.
      answer.catch(() => {});
      this.#waiting.push({ answer, file });
      if (this.#waiting.length >= pool.capacity) await this.#take();
      if (this.isOverLimit) return;
    }
    while (this.#waiting.length > 0 && !this.isOverLimit) await this.#take();
  }

  async #take(): Promise<void> {
    const { pool, seen, points, report, total, onAnswer } = this.#parts;
    const { answer, file } = this.#waiting.shift() ?? {};
    let checked = await answer;
    if (checked === undefined) return;
    const duplicates = seen.add(checked.accounts);
    if (duplicates.length > 0) checked = await pool.check({ batch: checked.batch, file, duplicates });
    total.add(checked.findings);
    points.add(checked.occupancies, file);
    await report.add(checked);
    onAnswer();
  }
}

const modeOf = ({ suspect_data, suspect_data_by_code }: CheckSettings) =>
  suspect_data_by_code.meter_point_in_two_accounts ?? suspect_data;

function endingOf({ stop }: Context, check: Check): Outcome['ending'] {
  if (check.isOverLimit) return 'tooManyRefused';
  if (stop.aborted) return 'interrupted';
  return check.hasRefused ? 'refused' : 'done';
}

function nothingIn(files: readonly string[], { stop }: Context): Failure {
  if (stop.aborted) return new Failure('interrupted', 'Interrupted before the first line.');
  return new Failure('usage', `There is no line in ${files.join(', ')}: a book has an account a line, as JSON.`);
}

const SUPPLIER = /"import_supplier"\s*:\s*"([^"\\]+)"/;

/** The import supplier that the first line names which names one. */
function supplierNamedIn({ lines }: BookBatch): string | undefined {
  for (const { bytes } of lines) {
    const [, code] = SUPPLIER.exec(bytes.toString()) ?? [];
    if (code !== undefined) return code;
  }
  return undefined;
}

/**
 * The accounts that earlier lines of the book name, by 64 bits of their digest: two accounts of 10 million share them
 * once in 370,000 books. They are kept in a temporary file.
 */
class SeenAccounts {
  readonly #database: DatabaseSync;
  readonly #add: StatementSync;

  constructor() {
    this.#database = openTemporaryDatabase('CREATE TABLE seen (account INTEGER PRIMARY KEY);');
    this.#add = this.#database.prepare('INSERT OR IGNORE INTO seen (account) VALUES (?)');
    this.#add.setReadBigInts(true);
  }

  /** Remembers the accounts of a batch; returns the places of those that were seen before. 0 is no account. */
  add(accounts: BigInt64Array): number[] {
    const again: number[] = [];
    for (const [index, account] of accounts.entries()) {
      if (account !== 0n && this.#add.run(account).changes === 0n) again.push(index);
    }
    return again;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
