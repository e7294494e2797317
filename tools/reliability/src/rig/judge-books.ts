import { type Claim, exactly, none } from '../scenario.ts';
import { type Effects, readEffects, timesCounted } from './effects.ts';
import { type Book, type BookMovers, operationsOf } from './move-books.ts';
import { ADDED, type OperationName } from './operations.ts';
import { fieldOf } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What the jobs say of the books, and what the database holds of them. */
export interface JudgedBooks {
  lost: number;
  doubled: number;
  claims: Claim[];
}

/** Compares finished books with the database, line by line, and with what their jobs say of them. */
export async function judgeBooks(world: ServiceWorld, supplier: Supplier, movers: BookMovers): Promise<JudgedBooks> {
  const { ledger } = movers;
  const effects = new Map((await readEffects(world, supplier)).map((each) => [each.account, each]));
  const times = [
    ...ledger.books.flatMap(({ accounts }) => accounts).flatMap((account) => timesOf(effects, account)),
    ...ledger.besides.map((account) => timeOf(effects, account, 'process')),
  ];
  const lost = times.filter(({ counted }) => counted === 0);
  const doubled = times.filter(({ counted }) => counted !== 0 && counted !== 1);
  const good = ledger.books.reduce((sum, { accounts }) => sum + accounts.length, ledger.besides.length);
  const wrong = await Promise.all(ledger.books.map((book) => wrongOf(movers, book)));
  const refused = [];
  for (const book of ledger.books) refused.push(...(await wronglyRefused(movers, book)));
  return {
    ...{ lost: lost.length, doubled: doubled.length },
    claims: [
      none('operations of good lines that are not in the database', lost),
      none('operations of good lines that took effect twice or in part', doubled),
      exactly('accounts in the database, of the good lines and of single calls', effects.size, good),
      none('good lines that were refused', refused),
      none('jobs whose figures differ from their book', wrong.flat()),
      none('answers that a supplier does not expect', ledger.odd),
      none('chunks left, or done without an outcome of each line', await unsettled(world, supplier)),
      none('bodies of finished jobs', await bodiesLeft(world, supplier)),
    ],
  };
}

function timesOf(effects: ReadonlyMap<string, Effects>, account: string) {
  return operationsOf(account).map((name) => timeOf(effects, account, name));
}

function timeOf(effects: ReadonlyMap<string, Effects>, account: string, name: OperationName) {
  return { account, name, counted: timesCounted(effects.get(account), name) };
}

async function wronglyRefused(movers: BookMovers, book: Book): Promise<unknown[]> {
  const good = new Set(book.accounts);
  const results = await movers.readResults(book);
  return results.filter(
    ({ outcome, external_account_number = '' }) => outcome !== 'created' && good.has(external_account_number),
  );
}

/** In what the job of a finished book differs from it. */
async function wrongOf(movers: BookMovers, { jobId, accounts, bad, lines }: Book): Promise<unknown[]> {
  const job = await movers.readJob({ jobId } as Book);
  const counts = Object(fieldOf(job, 'counts')) as Record<string, number>;
  const sums = Object(fieldOf(job, 'sums'));
  const expected = { created: accounts.length, refused: bad, lines };
  const { created = 0, refused = 0, ...others } = counts;
  const sum = Object.values(counts).reduce((total, count) => total + count, 0);
  const money = Object.values(Object(fieldOf(sums, 'transactions')) as Record<string, { amount: string }>);
  const penceStored = money.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0);
  const penceSent = accounts.length * Math.round(Number(ADDED.sum) * 100);
  const isRight =
    fieldOf(job, 'state') === 'FINISHED' &&
    created === expected.created &&
    refused === expected.refused &&
    sum === lines &&
    penceStored === penceSent;
  return isRight
    ? []
    : [{ jobId, state: fieldOf(job, 'state'), created, refused, others, expected, penceStored, penceSent }];
}

function unsettled(world: ServiceWorld, { code }: Supplier): Promise<object[]> {
  return world.query(
    `SELECT chunk.job_id, chunk.number, chunk.done, chunk.cursor, chunk.lines, chunk.counts
    FROM bulk_chunks chunk JOIN bulk_jobs job ON job.id = chunk.job_id AND job.run = chunk.run
    WHERE import_supplier_code = $1 AND (NOT done
      OR (SELECT coalesce(sum(value::int), 0) FROM jsonb_each_text(chunk.counts)) <> chunk.lines)
    LIMIT 3`,
    [code],
  );
}

function bodiesLeft(world: ServiceWorld, { code }: Supplier): Promise<object[]> {
  return world.query(
    `SELECT job_id, number FROM bulk_bodies JOIN bulk_jobs ON bulk_jobs.id = job_id
    WHERE import_supplier_code = $1 AND state = 'FINISHED' LIMIT 3`,
    [code],
  );
}
