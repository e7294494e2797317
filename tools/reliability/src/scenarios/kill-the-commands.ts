import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FaultyDoor, type Random, startFaultyDoor } from '@causeway/testing';
import { judgeTimes } from '../rig/effects.ts';
import { bookLine } from '../rig/move-books.ts';
import { ADDED, knownInstruction, OPERATIONS } from '../rig/operations.ts';
import { type Command, type Ended, runCommand, startCommand } from '../rig/run-command.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { type Claim, exactly, type Outcome, type Scenario } from '../scenario.ts';

/** Of the requests. */
const FAULTS = 0.05;
const SERVICE_KILLED_EVERY = 4;
const SLOTS = 3;
const ENDED_WITH_REFUSALS = 3;

interface Place {
  world: World;
  supplier: Supplier;
  /** Where the commands run. */
  folder: string;
  /** To the service; it answers some requests with 429 or 503, or cuts them. */
  door: FaultyDoor;
  random: Random;
}

/** A command that moves the book in a file. */
interface Killed {
  title: string;
  words(file: string): readonly string[];
  /** `blanks` stand behind each line: with them an upload has ten parts. */
  shape: { lines: number; blanks: number };
  /** How many more requests a kill waits for: whatever the speed of the machine. */
  requests: { from: number; to: number };
  /** What the last run has printed and written. */
  judge(place: Place, book: CommandBook, last: Ended): Promise<Claim[]>;
}

/** A job continues while its command is dead: later kills of it would meet no upload. */
const KILLS_A_BOOK = 5;

const COMMANDS: readonly Killed[] = [
  {
    title: 'kill -9 of causeway move, at a service that fails and is killed too',
    words: (file) => ['move', file],
    ...{ shape: { lines: 150, blanks: 0 }, requests: { from: 1, to: 240 } },
    async judge({ folder }, book, last) {
      const [moved] = (last.document as Moved).books ?? [];
      const numbersIn = (file: string) => readNumbers(path.join(folder, `${book.file}.causeway`, file));
      return [
        exactly('results, by line', await numbersIn('results.ndjson'), book.lines.join(' ')),
        exactly('failed rows, by line', await numbersIn('failed.ndjson'), book.bad.join(' ')),
        exactly('lines that the command counts', moved?.lines ?? 0, book.lines.length),
        exactly('money that was sent', moved?.money.transactions_sent ?? '', sumOf(book)),
        exactly('money that the service has stored', moved?.money.transactions_stored ?? '', sumOf(book)),
      ];
    },
  },
  {
    title: 'kill -9 of causeway upload --start --watch, at a service that fails and is killed too',
    words: (file) => ['upload', file, '--start', '--watch'],
    ...{ shape: { lines: 250, blanks: 199 }, requests: { from: 1, to: 20 } },
    async judge({ world, supplier }, { number, accounts, bad, lines }, last) {
      const job = last.document as Job;
      const stored = Object.values(job.sums?.transactions ?? {}).reduce((sum, { amount }) => sum + Number(amount), 0);
      const jobs = 'SELECT count(*) FROM bulk_jobs WHERE import_supplier_code = $1';
      return [
        exactly('lines that the job counts', job.lines ?? 0, lines.length),
        exactly('lines of which the job has created accounts', job.counts?.created ?? 0, accounts.length),
        exactly('lines that the job has refused', job.counts?.refused ?? 0, bad.length),
        exactly('money that the job has stored', stored.toFixed(2), sumOf({ accounts })),
        exactly('jobs, one a book', await world.count(jobs, [supplier.code]), number),
      ];
    },
  },
];

interface Moved {
  books?: { lines: number; money: { transactions_sent: string; transactions_stored: string } }[];
}

interface Job {
  lines?: number;
  counts?: { created: number; refused: number };
  sums?: { transactions: Record<string, { amount: string }> };
}

/** Commands are killed at random, at a service that fails, is killed too and is limited to 3 slots. */
export const KILL_THE_COMMANDS: readonly Scenario[] = COMMANDS.map(({ title, words, shape, requests, judge }) => ({
  ...{ row: 32, title, unit: 'kills', full: 25, short: 2 },
  async run(kills, random): Promise<Outcome> {
    await using world = await startWorld();
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-commands-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const supplier = await world.createSupplier({ process_concurrency_limit: SLOTS });
    const door = await startUnluckyDoor(world, random.fork('faults'));
    stack.defer(() => door.close());
    const place: Place = { world, supplier, folder, door, random: random.fork('kills') };
    const books: CommandBook[] = [];
    const claims: Claim[] = [];
    let met = 0;
    for (let left = kills; left > 0; left -= KILLS_A_BOOK) {
      const book = await writeBook(place, books.length + 1, shape);
      books.push(book);
      const options = ['--supplier', supplier.code, '--team', supplier.teamName, '--json'];
      const command = commandOf(place, [...words(book.file), ...options]);
      met += await killAtRandom(place, { kills: Math.min(left, KILLS_A_BOOK), requests, command });
      const last = await runCommand(command);
      claims.push(exactly('how the last run of each book ended', last.code ?? -1, ENDED_WITH_REFUSALS));
      claims.push(...(await judge(place, book, last)));
    }
    const judged = await judgeAccounts(place, books);
    const lines = books.reduce((sum, book) => sum + book.lines.length, 0);
    return {
      figures: `${met} kills met a run; ${books.length} books, ${lines} lines; ${judged.lost} lost, ${judged.doubled} doubled`,
      claims: [...claims, ...judged.claims],
    };
  },
}));

/** A book in a file. */
interface CommandBook {
  number: number;
  file: string;
  /** Of its good lines. */
  accounts: string[];
  /** The numbers of all its lines, and of those that have to be refused. */
  lines: number[];
  bad: number[];
}

const BAD_EVERY = 25;
const INSTRUCTION_EVERY = 20;

/** Writes a book of so many lines. Blank ones count as lines of the file. */
async function writeBook(
  { world, supplier, folder }: Place,
  number: number,
  { lines, blanks }: Killed['shape'],
): Promise<CommandBook> {
  const book: CommandBook = { number, file: `book-${number}.ndjson`, accounts: [], lines: [], bad: [] };
  const texts = Array.from({ length: lines }, (_, index) => {
    const account = `CLI${number}-${index + 1}`;
    const line = bookLine(supplier, account, hasInstruction(account));
    const place = index * (blanks + 1) + 1;
    book.lines.push(place);
    if ((index + 1) % BAD_EVERY === 0) {
      book.bad.push(place);
      return JSON.stringify({ ...line, control: { transactions: 3 } });
    }
    world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
    book.accounts.push(account);
    return JSON.stringify(line);
  });
  await writeFile(path.join(folder, book.file), texts.map((text) => `${text}\n${'\n'.repeat(blanks)}`).join(''));
  return book;
}

const hasInstruction = (account: string) => Number(account.split('-').at(-1)) % INSTRUCTION_EVERY === 0;

/** What the transactions of the good lines add up to. */
const sumOf = ({ accounts }: Pick<CommandBook, 'accounts'>): string => (accounts.length * Number(ADDED.sum)).toFixed(2);

/** Compares the good lines of books with the database. */
async function judgeAccounts({ world, supplier }: Place, books: readonly CommandBook[]) {
  const accounts = books.flatMap((book) => book.accounts);
  const done = accounts.flatMap((account) =>
    OPERATIONS.filter((name) => name !== 'instruction' || hasInstruction(account)).map((name) => ({ account, name })),
  );
  const { stored, ...judged } = await judgeTimes(world, supplier, done);
  return { ...judged, claims: [...judged.claims, exactly('accounts in the database', stored, accounts.length)] };
}

/** The numbers of the lines in a file of results or of failed rows, in order; what stands there twice stays twice. */
async function readNumbers(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  const numbers = lines.map((line): number => JSON.parse(line).line);
  return numbers.sort((one, other) => one - other).join(' ');
}

const commandOf = ({ supplier, folder, door }: Place, words: readonly string[]): Command => ({
  words,
  variables: { CAUSEWAY_URL: door.url, CAUSEWAY_API_KEY: supplier.apiKey },
  directory: folder,
});

/** A door to the service that answers some requests with 429 or 503, or cuts them, before the service has them or after. */
function startUnluckyDoor(world: World, random: Random): Promise<FaultyDoor> {
  return startFaultyDoor(
    () => urlOf(world),
    ({ path: called }) => {
      if (called.includes('graphql') || !random.chance(FAULTS)) return undefined;
      return random.pick([{ status: 429 }, { status: 503, retryAfterS: 0 }, 'cut', 'cut after'] as const);
    },
  );
}

/** A service that is being started again has no address. */
function urlOf({ instances: [instance] }: World): string {
  return instance === undefined || instance.process.exited ? 'http://127.0.0.1:1' : instance.process.url;
}

/**
 * Starts a command again and again, and kills it with -9 when so many more requests have come. Now and then the service is killed with it. How many of the kills met a command that had not ended.
 */
async function killAtRandom(
  { world, door, random }: Place,
  { kills, requests, command }: { kills: number; requests: { from: number; to: number }; command: Command },
): Promise<number> {
  let met = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const strikesAt = door.requests + random.integer(requests.from, requests.to);
    const running = startCommand(command);
    const isReached = await running.lastsUntil(() => door.requests >= strikesAt);
    const restarting = kill % SERVICE_KILLED_EVERY === 0 ? world.instances[0]?.process.restart() : undefined;
    if (isReached) met += 1;
    await running.kill();
    await restarting;
  }
  return met;
}
