import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandBook, inOrder, judgeAccounts, readNumbers, sumOf, writeBook } from '../rig/command-books.ts';
import { type Ended, runCommand } from '../rig/run-command.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { killAtRandom, startUnluckyDoor } from '../rig/strike-commands.ts';
import { exactly, type Outcome, type Scenario } from '../scenario.ts';

const LINES_A_KILL = 30;
const REQUESTS_BEFORE_A_KILL = { from: 1, to: 240 };
const SLOTS = 3;
const ENDED_WITH_REFUSALS = 3;

/** kill -9 of `causeway move` at random, while the service is killed too, is limited to 3 slots, and fails. */
export const killTheCommandLine: Scenario = {
  row: 32,
  title: 'kill -9 of causeway move, at a service that fails and is killed too',
  unit: 'kills',
  full: 25,
  short: 2,
  async run(kills, random): Promise<Outcome> {
    await using world = await startWorld();
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-move-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const supplier = await world.createSupplier({ process_concurrency_limit: SLOTS });
    const door = await startUnluckyDoor(world, random.fork('faults'));
    stack.defer(() => door.close());
    const file = path.join(folder, 'book.ndjson');
    const book = await writeBook({ world, supplier }, file, { prefix: 'CLI', lines: kills * LINES_A_KILL });
    const command = {
      words: ['move', 'book.ndjson', '--supplier', supplier.code, '--team', supplier.teamName, '--json'],
      variables: { CAUSEWAY_URL: door.url, CAUSEWAY_API_KEY: supplier.apiKey },
      directory: folder,
    };
    const strikes = { kills, requests: REQUESTS_BEFORE_A_KILL, command };
    const met = await killAtRandom({ world, door, random: random.fork('kills') }, strikes);
    return await judge({ world, supplier, folder }, { book, last: await runCommand(command), met });
  },
};

interface Place {
  world: World;
  supplier: Supplier;
  folder: string;
}

async function judge(
  { world, supplier, folder }: Place,
  { book, last, met }: { book: CommandBook; last: Ended; met: number },
): Promise<Outcome> {
  const { lost, doubled, claims } = await judgeAccounts({ world, supplier }, [book]);
  const results = await readNumbers(path.join(folder, 'book.ndjson.causeway/results.ndjson'));
  const failed = await readNumbers(path.join(folder, 'book.ndjson.causeway/failed.ndjson'));
  const [moved] = (last.document as Document).books ?? [];
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
}

interface Document {
  books?: { lines: number; money: { transactions_sent: string; transactions_stored: string } }[];
}
