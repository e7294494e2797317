import { mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../frame/failure.ts';
import { openOwnFile } from '../../frame/own-file.ts';
import { type Journal, type Mark, openJournal } from './journal.ts';
import { takeLock } from './lock.ts';

/** What a run is about: a checkpoint of another one is no use. */
export interface RunOf {
  /** Of the book. */
  digest: string;
  url: string;
  supplier: string;
  team: string;
}

/** How far a run has come. */
export interface Reached {
  /** The first line that is not finished. */
  offset: number;
  number: number;
  /** Finished lines behind it. */
  beyond: number[];
  isFinished: boolean;
  /** What the caller counts. */
  tally: unknown;
}

/** The folder beside a book in which a run keeps how far it has come (behaviour 25.4.3). */
export interface Checkpoint {
  /** Of the run before; undefined at the beginning. */
  last: Reached | undefined;
  results: Journal;
  failed: Journal;
  /** Writes what the journals have, then the checkpoint: it never speaks of what is not on the disk. */
  save(reached: Reached): Promise<void>;
  /** Gives the folder free. */
  close(): Promise<void>;
}

interface Stored extends Reached {
  format: 1;
  run: RunOf;
  results: Mark;
  failed: Mark;
}

const FORMAT = 1;

/** Opens the folder. Throws a Failure if another run has it, if it is about something else, or cannot be written. */
export async function openCheckpoint(
  folder: string,
  { run, name, isDryRun }: { run: RunOf; name: string; isDryRun: boolean },
): Promise<Checkpoint> {
  return sayingWhy(folder, async () => {
    await mkdir(folder, { recursive: true });
    const release = await takeLock(path.join(folder, 'lock'), name);
    try {
      const file = path.join(folder, 'checkpoint.json');
      const stored = await readStored(file);
      // A dry run has nothing to lose: it begins anew.
      const isOver = isDryRun && (stored?.isFinished || differsFrom(stored?.run, run) !== undefined);
      const last = isOver ? undefined : stored;
      refuseAnother(last?.run, { run, name, folder });
      const results = await openJournal(path.join(folder, 'results.ndjson'), last?.results);
      const failed = await openJournal(path.join(folder, 'failed.ndjson'), last?.failed).catch(async (error) => {
        await results.close();
        throw error;
      });
      return {
        last,
        results,
        failed,
        save: (reached) => sayingWhy(folder, () => save({ file, run, results, failed }, reached)),
        async close() {
          await Promise.all([results.close(), failed.close()]);
          await release();
        },
      };
    } catch (error) {
      await release();
      throw error;
    }
  });
}

type Saving = { file: string; run: RunOf; results: Journal; failed: Journal };

async function save({ file, run, results, failed }: Saving, reached: Reached): Promise<void> {
  const [result, failure] = [results.take(), failed.take()];
  const stored: Stored = { format: FORMAT, run, ...reached, results: result.mark, failed: failure.mark };
  const text = `${JSON.stringify(stored)}\n`;
  await result.write();
  await failure.write();
  await replaceFile(file, text);
}

/** A kill leaves the old text or the new one, and a power cut too. */
async function replaceFile(file: string, text: string): Promise<void> {
  const handle = await openOwnFile(`${file}.new`, 'anew');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

async function readStored(file: string): Promise<Stored | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const stored = parsed(text);
  if (stored?.format === FORMAT) return stored;
  throw new Failure('usage', `${file} is no checkpoint of this version of causeway.`, {
    lines: ['  Remove its folder to begin anew: what is moved already is not moved twice.'],
  });
}

function parsed(text: string): Stored | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function differsFrom(last: RunOf | undefined, run: RunOf): keyof RunOf | undefined {
  if (last === undefined) return undefined;
  return (['digest', 'supplier', 'url', 'team'] as const).find((what) => last[what] !== run[what]);
}

type About = { run: RunOf; name: string; folder: string };

function refuseAnother(last: RunOf | undefined, { run, name, folder }: About): void {
  const what = differsFrom(last, run);
  if (what === undefined) return;
  const sentence =
    what === 'digest'
      ? `${name} has changed since the run began that ${folder} speaks of.`
      : `${folder} belongs to a run for the ${what} ${last?.[what]}, not ${run[what]}.`;
  throw new Failure('usage', sentence, {
    lines: ['  Remove the folder to begin anew: what is moved already is not moved twice.'],
  });
}

/** What a disk or a folder refuses is a sentence for the user. */
async function sayingWhy<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') {
      throw new Failure('usage', `There is no space left for ${folder}: free some, and run the same command again.`);
    }
    if (code === undefined || error instanceof Failure) throw error;
    throw new Failure('usage', `${folder} cannot be written: ${message}.`, {
      lines: ['  How far a run has come is kept there: move the book to a folder that you may write to.'],
      cause: error,
    });
  }
}
