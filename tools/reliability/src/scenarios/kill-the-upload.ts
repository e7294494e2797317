import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CommandBook, inOrder, judgeAccounts, readNumbers, sumOf, writeBook } from '../rig/command-books.ts';
import { type Ended, runCommand } from '../rig/run-command.ts';
import { type Supplier, startWorld, type World } from '../rig/start-world.ts';
import { killAtRandom, startUnluckyDoor, urlOf } from '../rig/strike-commands.ts';
import { type Claim, exactly, type Outcome, type Scenario } from '../scenario.ts';

/** A job continues while its command is dead: later kills of it would meet no upload. */
const KILLS_A_BOOK = 5;
/** In ten parts of 5,000 lines of the file, most of them blank. */
const SHAPE = { lines: 250, blanks: 199 };
const REQUESTS_BEFORE_A_KILL = { from: 1, to: 20 };
const SLOTS = 3;
const ENDED_WITH_REFUSALS = 3;

/** kill -9 of `causeway upload` at random, while the service is killed too, and fails. */
export const killTheUpload: Scenario = {
  row: 32,
  title: 'kill -9 of causeway upload --start --watch, at a service that fails and is killed too',
  unit: 'kills',
  full: 25,
  short: 2,
  async run(kills, random): Promise<Outcome> {
    await using world = await startWorld();
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(path.join(tmpdir(), 'causeway-upload-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const supplier = await world.createSupplier({ process_concurrency_limit: SLOTS });
    const door = await startUnluckyDoor(world, random.fork('faults'));
    stack.defer(() => door.close());
    const place = { world, supplier, folder };
    const struck = { world, door, random: random.fork('kills') };
    const uploads: Uploaded[] = [];
    let met = 0;
    for (let left = kills; left > 0; left -= KILLS_A_BOOK) {
      const name = `book-${uploads.length + 1}.ndjson`;
      const prefix = `UPLOAD${uploads.length + 1}`;
      const book = await writeBook(place, path.join(folder, name), { prefix, ...SHAPE });
      const command = commandOf(place, name, door.url);
      const strikes = { kills: Math.min(left, KILLS_A_BOOK), requests: REQUESTS_BEFORE_A_KILL, command };
      met += await killAtRandom(struck, strikes);
      uploads.push({ book, last: await runCommand(command) });
    }
    return await judge(place, uploads, met);
  },
};

interface Place {
  world: World;
  supplier: Supplier;
  folder: string;
}

/** A book, and what the last run of its command has said. */
interface Uploaded {
  book: CommandBook;
  last: Ended;
}

const variablesOf = ({ apiKey }: Supplier, url: string) => ({ CAUSEWAY_URL: url, CAUSEWAY_API_KEY: apiKey });

function commandOf({ supplier, folder }: Place, name: string, url: string) {
  const { code, teamName } = supplier;
  return {
    words: ['upload', name, '--supplier', code, '--team', teamName, '--start', '--watch', '--json'],
    variables: variablesOf(supplier, url),
    directory: folder,
  };
}

async function judge(place: Place, uploads: readonly Uploaded[], met: number): Promise<Outcome> {
  const { lost, doubled, claims } = await judgeAccounts(
    place,
    uploads.map(({ book }) => book),
  );
  const ofBooks: Claim[][] = [];
  for (const uploaded of uploads) ofBooks.push(await judgeUpload(place, uploaded));
  const jobs = await place.world.query('SELECT id FROM bulk_jobs WHERE import_supplier_code = $1', [
    place.supplier.code,
  ]);
  const lines = uploads.reduce((sum, { book }) => sum + book.lines.length, 0);
  return {
    figures: `${met} kills met a run; ${uploads.length} books, ${lines} lines; ${lost} lost, ${doubled} doubled`,
    claims: [...claims, exactly('jobs', jobs.length, uploads.length), ...ofBooks.flat()],
  };
}

/** What the job says of a book, and what can be downloaded of it. */
async function judgeUpload(place: Place, { book, last }: Uploaded): Promise<Claim[]> {
  const job = last.document as Document;
  const { accounts, bad, lines } = book;
  const stored = Object.values(job.sums?.transactions ?? {}).reduce((sum, { amount }) => sum + Number(amount), 0);
  return [
    exactly('how the last run of each book ended', last.code ?? -1, ENDED_WITH_REFUSALS),
    exactly('lines that the job counts', job.lines ?? 0, lines.length),
    exactly('lines of which the job has created accounts', job.counts?.created ?? 0, accounts.length),
    exactly('lines that the job has refused', job.counts?.refused ?? 0, bad.length),
    exactly('money that the job has stored', stored.toFixed(2), sumOf(book)),
    exactly('results, by line', inOrder(await download(place, 'results', job)), lines.join(' ')),
    exactly('failed rows, by line', inOrder(await download(place, 'failed-rows', job)), bad.join(' ')),
  ];
}

interface Document {
  id?: string;
  lines?: number;
  counts?: { created: number; refused: number };
  sums?: { transactions: Record<string, { amount: string }> };
}

async function download({ world, supplier, folder }: Place, what: string, { id = '' }: Document): Promise<number[]> {
  const file = `${what}.ndjson`;
  const words = ['jobs', what, id, '-o', file, '--json'];
  await runCommand({ words, variables: variablesOf(supplier, urlOf(world)), directory: folder });
  return readNumbers(path.join(folder, file));
}
