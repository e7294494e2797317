import path from 'node:path';
import { createRestClient, type RestClient } from '@causeway/rest-client';
import { type Book, STANDARD_INPUT } from '../book-files/book.ts';
import { digestOfBook } from '../book-files/digest-of-book.ts';
import { openBook } from '../book-files/open-book.ts';
import { refusalLimit } from '../book-files/refusal-limit.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { millisecondsOf } from '../frame/flags.ts';
import { findCredentials } from '../session/find-credentials.ts';
import { bytes, grouped } from '../terminal/numbers.ts';
import type { BookRun } from './book-run.ts';
import { createCaller } from './caller.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint/checkpoint.ts';
import { findSupplier, settingsOf } from './find-supplier.ts';
import { linesToSendAgain } from './find-undone.ts';
import { showProgress } from './progress.ts';
import { type BookResult, mergedEnding, resultLines } from './report.ts';
import { Runner } from './run-book.ts';
import { Tally } from './tally.ts';

/** As commander reads them. */
interface Options {
  supplier: string;
  team: string;
  dryRun?: boolean;
  concurrency?: string;
  rate?: string;
  maxRefused?: string;
  checkPreviouslyAdded: boolean;
  replace?: boolean;
  patience?: string;
}

const PATIENCE = '15m';

/** Moves books by the public single-account calls, one book after the other (behaviour 25.4). */
export async function move(
  context: Context,
  { words: [files], options }: { words: [string[]]; options: Options },
): Promise<Result> {
  if (files.includes(STANDARD_INPUT)) {
    throw new Failure('usage', 'move needs a file: it keeps its progress in a folder beside it.', {
      lines: ['  Write the book to a file first, or send it with causeway upload -.'],
    });
  }
  const patience = options.patience ?? PATIENCE;
  const settings = {
    concurrency: wholeNumber('--concurrency', options.concurrency),
    linesPerSecond: wholeNumber('--rate', options.rate),
    isTooMuch: refusalLimit(options.maxRefused),
    patienceMs: millisecondsOf(patience),
  };
  const { url, apiKey } = await findCredentials(context);
  const books = [];
  for (const file of files) books.push({ file, book: await openBook([file], context) });
  const client = createRestClient({ url, apiKey });
  const supplier = await findSupplier({ ...context, flags: { ...context.flags, patience } }, options.supplier);
  const results: BookResult[] = [];
  for (const { file, book } of books) {
    const shared = { options, settings, url, client, supplierSettings: settingsOf(supplier) };
    const result = await moveBook(context, { file, book }, shared);
    results.push(result);
    if (result.ended !== 'finished') break;
  }
  const lines = results.flatMap((result) => resultLines(result, { options, ...context }, context.output.columns));
  return { ending: mergedEnding(results), document: { books: results.map(({ document }) => document) }, lines };
}

interface Shared {
  options: Options;
  settings: {
    concurrency: number | undefined;
    linesPerSecond: number | undefined;
    patienceMs: number;
    isTooMuch(tally: Tally): boolean;
  };
  url: string;
  client: RestClient;
  supplierSettings: BookRun['options']['supplierSettings'];
}

/** The folder beside the book in which a run keeps how far it has come; a dry run has one of its own in it. */
export function folderOf(file: string, isDryRun: boolean): string {
  return isDryRun ? path.join(`${file}.causeway`, 'dry-run') : `${file}.causeway`;
}

async function moveBook(
  context: Context,
  { file, book }: { file: string; book: Book },
  shared: Shared,
): Promise<BookResult> {
  const { options, url } = shared;
  const isDryRun = options.dryRun === true;
  const folder = folderOf(file, isDryRun);
  const digest = await digestOfBook([file], context);
  const run = { digest, url, supplier: options.supplier, team: options.team };
  const place = path.resolve(context.directory, folder);
  const checkpoint = await openCheckpoint(place, { run, name: file, isDryRun });
  try {
    const { last } = checkpoint;
    const again = await linesToSendAgain(context, {
      last,
      place,
      supplier: options.supplier,
      settings: shared.supplierSettings,
      isDryRun,
    });
    const isAnew = last === undefined || (last.isFinished && again.size > 0);
    const tally = isAnew ? new Tally() : Tally.from(last.tally);
    const about = { file, folder, tally };
    if (last?.isFinished && again.size === 0) return resultOf(about, 'finished', true);
    sayStart(context, { file, book, checkpoint, shared });
    return resultOf(about, await runBook(context, { book, checkpoint, tally, again }, shared), false);
  } finally {
    await checkpoint.close();
  }
}

function resultOf(
  about: Pick<BookResult, 'file' | 'folder' | 'tally'>,
  ended: BookResult['ended'],
  wasFinished: boolean,
) {
  const { file, folder, tally } = about;
  const document = { book: file, folder, ended, was_finished: wasFinished, ...tally.toJSON() };
  return { ...about, ended, wasFinished, document };
}

function sayStart(
  { output }: Context,
  { file, book, checkpoint, shared }: { file: string; book: Book; checkpoint: Checkpoint; shared: Shared },
): void {
  const { options, url } = shared;
  const { last } = checkpoint;
  const place = last === undefined ? '' : `, continuing at line ${grouped(last.number)}`;
  const dryRun = options.dryRun ? ', a dry run: nothing is created' : '';
  output.say(`${options.supplier} -> ${url}`);
  output.say(`  ${file}${book.bytes === undefined ? '' : `, ${bytes(book.bytes)}`}${place}${dryRun}`);
  output.event('started', { book: file, import_supplier: options.supplier, url, line: last?.number ?? 1 });
}

async function runBook(
  context: Context,
  { book, checkpoint, tally, again }: Pick<BookRun, 'book' | 'checkpoint' | 'tally' | 'again'>,
  { options, settings, url, client, supplierSettings }: Shared,
): Promise<BookResult['ended']> {
  const {
    supplier,
    team,
    dryRun: isDryRun = false,
    checkPreviouslyAdded: checksPreviouslyAdded,
    replace: replaces = false,
  } = options;
  const { stop, output, now } = context;
  const halt = new AbortController();
  const caller = createCaller({ client, url, halt: AbortSignal.any([stop, halt.signal]), ...settings });
  const lineOptions = { supplier, team, isDryRun, replaces, checksPreviouslyAdded, now, supplierSettings };
  const runner = new Runner({
    ...{ book, checkpoint, caller, tally, again, stop, halt },
    options: { ...lineOptions, linesPerSecond: settings.linesPerSecond },
    isTooMuch: settings.isTooMuch,
  });
  const sayStopping = () =>
    output.say(`Stopping: ${runner.inFlight} accounts in flight end first. Ctrl-C again ends at once.`);
  stop.addEventListener('abort', sayStopping, { once: true });
  using _shown = showProgress({ book, tally, caller, runner }, context);
  try {
    return await runner.run();
  } catch (error) {
    if (!(error instanceof Failure) || error.ending === 'usage') throw error;
    const lines = [...error.lines, `  ${grouped(tally.moved)} moved so far. Continue with the same command.`];
    throw new Failure(error.ending, error.message, { code: error.code, lines, cause: error });
  } finally {
    stop.removeEventListener('abort', sayStopping);
  }
}

/** A whole number from 1, as a flag has it; undefined if it was not given. Throws a Failure for anything else. */
function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Failure('usage', `${flag} takes a whole number from 1, not "${text}".`);
}
