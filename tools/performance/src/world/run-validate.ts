import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundle } from '@causeway/cli/bundle';
import { sampleAccounts } from '@causeway/realistic-books';
import { TODAY } from './measure-turn.ts';
import { cpuSeconds, peakResidentMb } from './processes.ts';
import { IMPORT_SUPPLIER } from './seed.ts';

const LOOP = path.resolve(import.meta.dirname, '../load/read-lines.ts');
const LOOK_EVERY_MS = 20;

export interface MeasuredCheck {
  perSecond: number;
  /** Of all threads. */
  perCpuSecond: number;
  peakMb: number;
}

export interface Checks extends AsyncDisposable {
  /** Of a line of the book, on average. */
  lineBytes: number;
  /** The whole book by the command line, from its start to its end; throws unless it accepts every line. */
  validate(): Promise<MeasuredCheck>;
  /** So many lines of it in one thread, which has warmed up. */
  readInLoop(lines: number): Promise<MeasuredCheck>;
}

/** Writes a book of so many accounts without history, and the command line as one file. */
export async function prepareChecks(lines: number): Promise<Checks> {
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-bench-'));
  const book = path.join(folder, 'book.ndjson');
  const program = path.join(folder, 'causeway.mjs');
  await writeFile(program, (await bundle()).text);
  await writeBook(book, lines);
  const { size } = await stat(book);
  return {
    lineBytes: size / lines,
    validate: async () => {
      const { seconds, ...used } = await watched([program, 'validate', book, '--today', TODAY, '--json']);
      return { perSecond: lines / seconds, perCpuSecond: lines / used.cpu, peakMb: used.peakMb };
    },
    readInLoop: async (read) => {
      const { stdout, peakMb } = await watched([LOOP, book, String(read), TODAY]);
      const { seconds, cpu } = JSON.parse(stdout) as { seconds: number; cpu: number };
      return { perSecond: read / seconds, perCpuSecond: read / cpu, peakMb };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function writeBook(file: string, accounts: number): Promise<void> {
  const names = { importSupplier: IMPORT_SUPPLIER, bookDate: TODAY };
  const stream = createWriteStream(file);
  for (const { payload } of sampleAccounts({ seed: 'bench', ...names, accounts, isPlain: true })) {
    if (!stream.write(`${JSON.stringify({ account: payload })}\n`)) await once(stream, 'drain');
  }
  await new Promise((resolve) => void stream.end(resolve));
}

/** Runs a program of Node to its end, and looks at what it uses; throws unless it ends well. */
async function watched(words: readonly string[]) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = child.pid ?? 0;
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  const used = { cpu: 0, peakMb: 0 };
  const timer = setInterval(() => {
    const peakMb = peakResidentMb(pid);
    if (peakMb !== undefined) Object.assign(used, { peakMb, cpu: cpuSeconds(pid) });
  }, LOOK_EVERY_MS);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
  return { ...used, stdout, seconds: (performance.now() - startedAt) / 1_000 };
}
