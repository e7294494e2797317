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

/** Commands at a service that fails, is killed at random and is limited to 3 slots. */
const killing = (title: string, run: (place: Place, kills: number) => Promise<Outcome>): Scenario => ({
  ...{ row: 32, title, unit: 'kills', full: 25, short: 2 },
  async run(kills, random) {
    await using world = await startWorld();
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-commands-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const supplier = await world.createSupplier({ process_concurrency_limit: SLOTS });
    const door = await startUnluckyDoor(world, random.fork('faults'));
    stack.defer(() => door.close());
    return await run({ world, supplier, folder, door, random: random.fork('kills') }, kills);
  },
});

const LINES_A_KILL = 30;

/** kill -9 of `causeway move` at random. */
const killTheMove = killing(
  'kill -9 of causeway move, at a service that fails and is killed too',
  async (place, kills) => {
    const { supplier, folder } = place;
    const book = await writeBook(place, 'book.ndjson', { prefix: 'CLI', lines: kills * LINES_A_KILL });
    const words = ['move', 'book.ndjson', '--supplier', supplier.code, '--team', supplier.teamName, '--json'];
    const command = commandOf(place, words);
    const met = await killAtRandom(place, { kills, requests: { from: 1, to: 240 }, command });
    const last = await runCommand(command);
    const { lost, doubled, claims } = await judgeAccounts(place, [book]);
    const results = await readNumbers(path.join(folder, 'book.ndjson.causeway/results.ndjson'));
    const failed = await readNumbers(path.join(folder, 'book.ndjson.causeway/failed.ndjson'));
    const [moved] = (last.document as Moved).books ?? [];
    const { length: lines } = book.lines;
    return {
      figures: `${met} kills met a run; ${lines} lines, ${results.length} results, ${failed.length} failed rows; ${lost} lost, ${doubled} doubled`,
      claims: [
        ...claims,
        exactly('results, by line', inOrder(results), book.lines.join(' ')),
        exactly('failed rows, by line', inOrder(failed), book.bad.join(' ')),
        exactly('lines that the command counts', moved?.lines ?? 0, lines),
        exactly('money that was sent', moved?.money.transactions_sent ?? '', sumOf(book)),
        exactly('money that the service has stored', moved?.money.transactions_stored ?? '', sumOf(book)),
        exactly('how the last run ended', last.code ?? -1, ENDED_WITH_REFUSALS),
      ],
    };
  },
);

interface Moved {
  books?: { lines: number; money: { transactions_sent: string; transactions_stored: string } }[];
}

/** A job continues while its command is dead: later kills of it would meet no upload. */
const KILLS_A_BOOK = 5;
/** In ten parts of 5,000 lines of the file, most of them blank. */
const SHAPE = { lines: 250, blanks: 199 };

/** kill -9 of `causeway upload` at random. */
const killTheUpload = killing(
  'kill -9 of causeway upload --start --watch, at a service that fails and is killed too',
  async (place, kills) => {
    const { world, supplier } = place;
    const uploads: { book: CommandBook; last: Ended }[] = [];
    let met = 0;
    for (let left = kills; left > 0; left -= KILLS_A_BOOK) {
      const number = uploads.length + 1;
      const book = await writeBook(place, `book-${number}.ndjson`, { prefix: `UPLOAD${number}`, ...SHAPE });
      const options = ['--supplier', supplier.code, '--team', supplier.teamName, '--start', '--watch', '--json'];
      const command = commandOf(place, ['upload', `book-${number}.ndjson`, ...options]);
      const strikes = { kills: Math.min(left, KILLS_A_BOOK), requests: { from: 1, to: 20 }, command };
      met += await killAtRandom(place, strikes);
      uploads.push({ book, last: await runCommand(command) });
    }
    const books = uploads.map(({ book }) => book);
    const { lost, doubled, claims } = await judgeAccounts(place, books);
    const jobs = await world.count('SELECT count(*) FROM bulk_jobs WHERE import_supplier_code = $1', [supplier.code]);
    for (const { book, last } of uploads) claims.push(...(await judgeUpload(place, book, last)));
    const lines = books.reduce((sum, book) => sum + book.lines.length, 0);
    return {
      figures: `${met} kills met a run; ${books.length} books, ${lines} lines; ${lost} lost, ${doubled} doubled`,
      claims: [...claims, exactly('jobs', jobs, books.length)],
    };
  },
);

export const KILL_THE_COMMANDS: readonly Scenario[] = [killTheMove, killTheUpload];

interface Job {
  id?: string;
  lines?: number;
  counts?: { created: number; refused: number };
  sums?: { transactions: Record<string, { amount: string }> };
}

/** What the job says of a book, and what can be downloaded of it. */
async function judgeUpload(place: Place, { accounts, bad, lines }: CommandBook, last: Ended): Promise<Claim[]> {
  const job = last.document as Job;
  const stored = Object.values(job.sums?.transactions ?? {}).reduce((sum, { amount }) => sum + Number(amount), 0);
  const download = async (what: string): Promise<string> => {
    const file = `${what}.ndjson`;
    await runCommand(commandOf(place, ['jobs', what, job.id ?? '', '-o', file, '--json'], urlOf(place.world)));
    return inOrder(await readNumbers(path.join(place.folder, file)));
  };
  return [
    exactly('how the last run of each book ended', last.code ?? -1, ENDED_WITH_REFUSALS),
    exactly('lines that the job counts', job.lines ?? 0, lines.length),
    exactly('lines of which the job has created accounts', job.counts?.created ?? 0, accounts.length),
    exactly('lines that the job has refused', job.counts?.refused ?? 0, bad.length),
    exactly('money that the job has stored', stored.toFixed(2), sumOf({ accounts })),
    exactly('results, by line', await download('results'), lines.join(' ')),
    exactly('failed rows, by line', await download('failed-rows'), bad.join(' ')),
  ];
}

/** A book in a file. */
interface CommandBook {
  /** Of its good lines. */
  accounts: string[];
  /** The numbers of all its lines, and of those that have to be refused. */
  lines: number[];
  bad: number[];
}

const BAD_EVERY = 25;
const INSTRUCTION_EVERY = 20;

/** Writes a book of so many lines. `blanks` stand behind each: they count as lines of the file. */
async function writeBook(
  { world, supplier, folder }: Place,
  file: string,
  { prefix, lines, blanks = 0 }: { prefix: string; lines: number; blanks?: number },
): Promise<CommandBook> {
  const book: CommandBook = { accounts: [], lines: [], bad: [] };
  const texts = Array.from({ length: lines }, (_, index) => {
    const account = `${prefix}-${index + 1}`;
    const line = bookLine(supplier, account, hasInstruction(account));
    const number = index * (blanks + 1) + 1;
    book.lines.push(number);
    if ((index + 1) % BAD_EVERY === 0) {
      book.bad.push(number);
      return JSON.stringify({ ...line, control: { transactions: 3 } });
    }
    world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
    book.accounts.push(account);
    return JSON.stringify(line);
  });
  await writeFile(path.join(folder, file), texts.map((text) => `${text}\n${'\n'.repeat(blanks)}`).join(''));
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

/** The lines of a file of results or of failed rows, by their numbers. */
async function readNumbers(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line).line);
}

/** In the order of the book; what stands there twice stays twice. */
const inOrder = (numbers: readonly number[]): string => numbers.toSorted((one, other) => one - other).join(' ');

const commandOf = ({ supplier, folder, door }: Place, words: readonly string[], url = door.url): Command => ({
  words,
  variables: { CAUSEWAY_URL: url, CAUSEWAY_API_KEY: supplier.apiKey },
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
 * Starts a command again and again, and kills it with -9 when so many more requests have come: whatever the speed of the
 * machine. Now and then the service is killed with it. How many of the kills met a command that had not ended.
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
