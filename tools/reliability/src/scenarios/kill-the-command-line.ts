import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Decide, type FaultyDoor, type Random, startFaultyDoor } from '@causeway/testing';
import { readEffects, timesCounted } from '../rig/effects.ts';
import { bookLine } from '../rig/move-books.ts';
import { ADDED, knownInstruction, OPERATIONS } from '../rig/operations.ts';
import { runCommand, startCommand } from '../rig/run-command.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario } from '../scenario.ts';

const LINES_A_KILL = 30;
const BAD_EVERY = 25;
/** A kill strikes when so many more requests have come: whatever the speed of the machine. */
const REQUESTS_BEFORE_A_KILL = { from: 1, to: 240 };
const SERVICE_KILLED_EVERY = 4;
const SLOTS = 3;
const INSTRUCTION_EVERY = 20;
/** Of the requests. */
const FAULTS = 0.05;
const ENDED_WITH_REFUSALS = 3;

/** kill -9 of `causeway move` at random, while the service is killed too, is limited to 3 slots, and fails. */
export const killTheCommandLine: Scenario = {
  row: 32,
  title: 'kill -9 of causeway move, at a service that fails and is killed too',
  unit: 'kills',
  full: 50,
  async run(kills, random): Promise<Outcome> {
    await using world = await startWorld();
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-move-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const supplier = await world.createSupplier({ process_concurrency_limit: SLOTS });
    const door = await startFaultyDoor(() => urlOf(world), faultsAtRandom(random.fork('faults')));
    stack.defer(() => door.close());
    const book = await writeBook({ world, supplier, folder }, kills * LINES_A_KILL);
    const command = commandOf(supplier, { door, folder });
    const struck = await killAtRandom({ world, door, random: random.fork('kills') }, { kills, command });
    const last = await runCommand(command);
    return { ...(await judge({ world, supplier, folder }, { book, last, kills: struck })) };
  },
};

interface Place {
  world: World;
  supplier: Supplier;
  folder: string;
}

interface Book {
  accounts: string[];
  /** The numbers of the lines that have to be refused. */
  bad: number[];
}

async function writeBook({ world, supplier, folder }: Place, lines: number): Promise<Book> {
  const book: Book = { accounts: [], bad: [] };
  const texts = Array.from({ length: lines }, (_, index) => {
    const account = `CLI-${index + 1}`;
    const line = bookLine(supplier, account, (index + 1) % INSTRUCTION_EVERY === 0);
    if ((index + 1) % BAD_EVERY === 0) {
      book.bad.push(index + 1);
      return JSON.stringify({ ...line, control: { transactions: 3 } });
    }
    world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
    book.accounts.push(account);
    return JSON.stringify(line);
  });
  await writeFile(path.join(folder, 'book.ndjson'), `${texts.join('\n')}\n`);
  return book;
}

function commandOf({ code, teamName, apiKey }: Supplier, { door, folder }: { door: FaultyDoor; folder: string }) {
  return {
    words: ['move', 'book.ndjson', '--supplier', code, '--team', teamName, '--json'],
    variables: { CAUSEWAY_URL: door.url, CAUSEWAY_API_KEY: apiKey },
    directory: folder,
  };
}

type Command = ReturnType<typeof commandOf>;

/** A service that is being started again has no address. */
function urlOf(world: World): string {
  const [instance] = world.instances;
  return instance === undefined || instance.process.exited ? 'http://127.0.0.1:1' : instance.process.url;
}

function faultsAtRandom(random: Random): Decide {
  return ({ path: called }) => {
    if (called.includes('graphql') || !random.chance(FAULTS)) return undefined;
    return random.pick([{ status: 429 }, { status: 503, retryAfterS: 0 }, 'cut', 'cut after'] as const);
  };
}

/** How many of the kills met a command that had not ended. */
async function killAtRandom(
  { world, door, random }: { world: World; door: FaultyDoor; random: Random },
  { kills, command }: { kills: number; command: Command },
): Promise<number> {
  let met = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const strikesAt = door.requests + random.integer(REQUESTS_BEFORE_A_KILL.from, REQUESTS_BEFORE_A_KILL.to);
    const running = startCommand(command);
    const isReached = await running.lastsUntil(() => door.requests >= strikesAt);
    const restarting = kill % SERVICE_KILLED_EVERY === 0 ? world.instances[0]?.process.restart() : undefined;
    if (isReached) met += 1;
    await running.kill();
    await restarting;
  }
  return met;
}

interface Result {
  line: number;
  outcome: string;
}

async function judge(
  { world, supplier, folder }: Place,
  { book, last, kills }: { book: Book; last: { code: number | null; stdout: string }; kills: number },
): Promise<Outcome> {
  const effects = new Map((await readEffects(world, supplier)).map((each) => [each.account, each]));
  const times = book.accounts.flatMap((account) =>
    OPERATIONS.filter((name) => name !== 'instruction' || Number(account.split('-')[1]) % INSTRUCTION_EVERY === 0).map(
      (name) => ({ account, name, counted: timesCounted(effects.get(account), name) }),
    ),
  );
  const lost = times.filter(({ counted }) => counted === 0);
  const doubled = times.filter(({ counted }) => counted !== 0 && counted !== 1);
  const results = await readLines<Result>(path.join(folder, 'book.ndjson.causeway/results.ndjson'));
  const failed = await readLines<{ line: number }>(path.join(folder, 'book.ndjson.causeway/failed.ndjson'));
  const lines = book.accounts.length + book.bad.length;
  const sum = (book.accounts.length * Number(ADDED.sum)).toFixed(2);
  const [moved] = documentOf(last.stdout).books ?? [];
  return {
    figures: `${kills} kills met a run; ${lines} lines, ${results.length} results, ${failed.length} failed rows; ${lost.length} lost, ${doubled.length} doubled`,
    claims: [
      none('operations of good lines that are not in the database', lost),
      none('operations of good lines that took effect twice or in part', doubled),
      exactly('accounts in the database', effects.size, book.accounts.length),
      exactly('lines with a result', new Set(results.map(({ line }) => line)).size, lines),
      exactly('results', results.length, lines),
      exactly('failed rows, by line', sorted(failed), book.bad.join(' ')),
      exactly('lines that the command counts', moved?.lines ?? 0, lines),
      exactly('money that was sent', moved?.money.transactions_sent ?? '', sum),
      exactly('money that the service has stored', moved?.money.transactions_stored ?? '', sum),
      exactly('how the last run ended', last.code ?? -1, ENDED_WITH_REFUSALS),
    ],
  };
}

interface Document {
  books?: { lines: number; money: { transactions_sent: string; transactions_stored: string } }[];
}

/** What is no document is shown by the claims that miss its figures. */
function documentOf(stdout: string): Document {
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

const sorted = (rows: { line: number }[]) =>
  rows
    .map(({ line }) => line)
    .sort((one, other) => one - other)
    .join(' ');

async function readLines<Line>(file: string): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
