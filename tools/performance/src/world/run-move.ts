import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createBook, JOURNEY_TRANSACTIONS, penceOf } from '../load/book.ts';
import { freshPrefix, TODAY } from './measure-turn.ts';
import { IMPORT_SUPPLIER, OPERATIONS_TEAM } from './seed.ts';
import type { Target, World } from './world.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../../apps/cli/src/main.ts');

/** What `causeway move` did with a book. */
export interface MeasuredMove {
  /** Accounts a second from its first progress event on, which comes after ten seconds. */
  perSecond: number;
}

/** Moves a book of journeys by the command line, as a process of its own; throws unless every account is created. */
export async function measureMove(world: World, target: Target, accounts: number): Promise<MeasuredMove> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-bench-'));
  try {
    await writeBook(path.join(folder, 'book.ndjson'), accounts);
    const words = ['move', 'book.ndjson', '--supplier', IMPORT_SUPPLIER, '--team', OPERATIONS_TEAM, '--json-lines'];
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      cwd: folder,
      env: { HOME: folder, CAUSEWAY_URL: target.instances[0]?.url, CAUSEWAY_API_KEY: world.seed.apiKey },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const perSecond = await rateOf(child, accounts);
    let pence = 0;
    for (let index = 0; index < accounts; index += 1) pence += penceOf(index, JOURNEY_TRANSACTIONS);
    target.ledger.add('journey', accounts, { perAccount: JOURNEY_TRANSACTIONS, pence });
    return { perSecond };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeBook(file: string, accounts: number): Promise<void> {
  const bookOf = createBook({ importSupplier: IMPORT_SUPPLIER, today: TODAY, transactions: JOURNEY_TRANSACTIONS });
  const prefix = freshPrefix();
  const stream = createWriteStream(file);
  for (let index = 0; index < accounts; index += 1) {
    const { account, notes, transactions, statements } = bookOf(index);
    const number = `${prefix}${index}`;
    const history = {
      notes: JSON.parse(notes(number)).notes,
      transactions: JSON.parse(transactions(number)).transactions,
      statements: JSON.parse(statements(number)).statements,
    };
    const line = `{"account":${account(number)},${JSON.stringify(history).slice(1)}\n`;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  await new Promise((resolve) => void stream.end(resolve));
}

/** The clock runs from the first progress event to the last event. */
async function rateOf(child: ChildProcess, accounts: number): Promise<number> {
  let first: { lines: number; at: number } | undefined;
  let rate: number | undefined;
  const exited = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    const event = JSON.parse(line);
    const at = performance.now();
    if (event.event === 'progress') first ??= { lines: event.lines, at };
    if (event.event !== 'finished') continue;
    const [{ counts }] = event.books;
    if (counts.created !== accounts) throw new Error(`Of ${accounts} accounts ${counts.created} were created`);
    if (first !== undefined) rate = ((accounts - first.lines) * 1_000) / (at - first.at);
  }
  await exited;
  if (rate === undefined) throw new Error('The book was moved before the first progress event');
  return rate;
}
