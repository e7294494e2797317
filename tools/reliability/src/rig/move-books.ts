import { isDeepStrictEqual } from 'node:util';
import type { Random } from '@causeway/testing';
import { type Claim, exactly, none } from '../scenario.ts';
import { type BulkJobs, bulkJobs } from './bulk-jobs.ts';
import { carefulSender, emptyLedger, type SendLedger } from './careful-sender.ts';
import { judgeTimes } from './effects.ts';
import { ADDED, knownInstruction, OPERATIONS, type OperationName, operationOn } from './operations.ts';
import { fieldOf } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** One book that was uploaded, and its bulk job. */
export interface Book {
  jobId: string;
  /** The accounts of its good lines. */
  accounts: string[];
  /** How many of its lines have to be refused. */
  bad: number;
  lines: number;
  parts: number;
}

/** How a book is cut, and how many chunks of it may be worked on at the same time. */
export interface BookShape {
  linesAPart?: number;
  parallelism?: number;
}

/** What the supplier's clients know about their books. */
export interface BookLedger extends SendLedger {
  books: Book[];
  /** Accounts that single calls have created. */
  besides: string[];
}

/** The accounts of a supplier, one upload after the other. */
export interface BookMovers {
  ledger: BookLedger;
  /** Uploads a book of so many lines, some of which have to be refused, and starts its real run. */
  startBook(lines: number, shape?: BookShape): Promise<Book>;
  /** Moves a book of good lines for these accounts. */
  move(accounts: readonly string[]): Promise<void>;
  jobs: BulkJobs;
}

const LINES_A_PART = 500;
const BAD_EVERY = 50;
/** Most chunks have none: while vendors are asked, a chunk is put off, and no lease is needed. */
const INSTRUCTION_EVERY = 130;

/** A line that adds what all of `operationOn` adds, the payment instruction if it is wanted. */
export function bookLine(supplier: Supplier, account: string, withInstruction = false): Record<string, unknown> {
  const bodyOf = (name: OperationName) => operationOn(supplier, account, name).body;
  const { vendor, reference, type } = bodyOf('instruction');
  return {
    account: bodyOf('stage'),
    notes: bodyOf('notes').notes,
    transactions: bodyOf('transactions').transactions,
    statements: bodyOf('statements').statements,
    ...(withInstruction && { payment_instruction: { vendor, reference, type } }),
  };
}

/** Which of the operations a good line of `moveBooks` performs. */
const operationsOf = (account: string): readonly OperationName[] =>
  hasInstruction(account) ? OPERATIONS : OPERATIONS.filter((name) => name !== 'instruction');

const hasInstruction = (account: string) => Number(account.split('-').at(-1)) % INSTRUCTION_EVERY === 0;

/** Lines that are refused, each for another reason; the line after one is none the worse for it. */
const BAD_LINES: readonly ((line: Record<string, unknown>) => string)[] = [
  () => 'this is no JSON',
  (line) => JSON.stringify(line).slice(0, -9),
  (line) => JSON.stringify({ ...line, account: { ...(line.account as object), customers: 'none' } }),
  (line) => JSON.stringify({ ...line, control: { transactions: 3 } }),
  () => '{"notes":[{"body":"Whose?"}]}',
];

/**
 * Moves books like a careful supplier: a request without an answer, or with 503, is repeated until it is answered, on
 * any instance.
 */
export function moveBooks(world: ServiceWorld, supplier: Supplier, random: Random): BookMovers {
  const ledger: BookLedger = { ...emptyLedger(), books: [], besides: [] };
  const jobs = bulkJobs(carefulSender(world, supplier, { ledger, random }), supplier);

  /** Uploads it, and starts its real run. */
  async function start(lines: readonly string[], shape: BookShape = {}): Promise<Book> {
    const { linesAPart = LINES_A_PART, parallelism } = shape;
    const jobId = await jobs.create(parallelism);
    const parts = Math.ceil(lines.length / linesAPart);
    const book: Book = { jobId, accounts: [], bad: 0, lines: lines.length, parts };
    for (let part = 1; part <= parts; part += 1) {
      const some = lines.slice((part - 1) * linesAPart, part * linesAPart);
      await jobs.upload(jobId, part, some.map((line) => `${line}\n`).join(''));
    }
    ledger.books.push(book);
    await jobs.start(jobId, { lines: lines.length, parts });
    return book;
  }

  return {
    ...{ ledger, jobs },
    async startBook(lines, shape) {
      const prefix = `BOOK${ledger.books.length + 1}-`;
      const accounts: string[] = [];
      const texts = Array.from({ length: lines }, (_, index) => {
        const account = `${prefix}${index + 1}`;
        const line = bookLine(supplier, account, hasInstruction(account));
        if ((index + 1) % BAD_EVERY === 0) return random.pick(BAD_LINES)(line);
        world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
        accounts.push(account);
        return JSON.stringify(line);
      });
      return Object.assign(await start(texts, shape), { accounts, bad: lines - accounts.length });
    },
    async move(accounts) {
      const { jobId } = await start(accounts.map((account) => JSON.stringify(bookLine(supplier, account))));
      await jobs.leaves(jobId, ['PLANNING', 'RUNNING']);
    },
  };
}

/** What the jobs say of the books, and what the database holds of them. */
interface JudgedBooks {
  lost: number;
  doubled: number;
  claims: Claim[];
}

/** Compares finished books with the database, line by line, and with what their jobs say of them. */
export async function judgeBooks(world: ServiceWorld, supplier: Supplier, movers: BookMovers): Promise<JudgedBooks> {
  const { books, besides, odd } = movers.ledger;
  const accounts = books.flatMap((book) => book.accounts);
  const { stored, lost, doubled, claims } = await judgeTimes(world, supplier, [
    ...accounts.flatMap((account) => operationsOf(account).map((name) => ({ account, name }))),
    ...besides.map((account) => ({ account, name: 'process' as const })),
  ]);
  const wrong = await Promise.all(books.map((book) => wrongOf(movers, book)));
  const good = accounts.length + besides.length;
  return {
    ...{ lost, doubled },
    claims: [
      ...claims,
      exactly('accounts in the database, of the good lines and of single calls', stored, good),
      ...none({
        'jobs whose figures differ from their book': wrong.flat(),
        'answers that a supplier does not expect': odd,
        'chunks left, or done without an outcome of each line': await world.query(UNSETTLED, [supplier.code]),
        'bodies of finished jobs': await world.query(BODIES_LEFT, [supplier.code]),
      }),
    ],
  };
}

/** In what the job of a finished book differs from it. */
async function wrongOf({ jobs }: BookMovers, { jobId, accounts, bad, lines }: Book): Promise<unknown[]> {
  const job = await jobs.read(jobId);
  const counts = Object(fieldOf(job, 'counts')) as Record<string, number>;
  const { created = 0, refused = 0 } = counts;
  const money = Object.values(Object(fieldOf(fieldOf(job, 'sums'), 'transactions')) as Record<string, Amount>);
  const found = {
    ...{ state: fieldOf(job, 'state'), created, refused },
    lines: Object.values(counts).reduce((total, count) => total + count, 0),
    pence: money.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0),
  };
  const pence = accounts.length * Math.round(Number(ADDED.sum) * 100);
  const expected = { state: 'FINISHED', created: accounts.length, refused: bad, lines, pence };
  return isDeepStrictEqual(found, expected) ? [] : [{ jobId, found, expected, counts }];
}

interface Amount {
  amount: string;
}

const UNSETTLED = `
  SELECT chunk.job_id, chunk.number, chunk.done, chunk.cursor, chunk.lines, chunk.counts
  FROM bulk_chunks chunk JOIN bulk_jobs job ON job.id = chunk.job_id AND job.run = chunk.run
  WHERE import_supplier_code = $1 AND (NOT done
    OR (SELECT coalesce(sum(value::int), 0) FROM jsonb_each_text(chunk.counts)) <> chunk.lines)
  LIMIT 3`;

const BODIES_LEFT = `
  SELECT job_id, number FROM bulk_bodies JOIN bulk_jobs ON bulk_jobs.id = job_id
  WHERE import_supplier_code = $1 AND state = 'FINISHED' LIMIT 3`;
