import { rmSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { numberAccounts } from './accounts-in-order.ts';
import type { Assembling } from './assemble.ts';
import { type Input, type Loaded, openInput } from './input.ts';
import { findNearMisses } from './near-misses.ts';
import type { ConvertOptions } from './options.ts';
import { documentOf, masked, sayFaults, sentenceOfFile } from './outcome.ts';
import { createProgress, type Progress } from './progress.ts';
import { decideStyles } from './questions.ts';
import { type RejectedFile, RejectedFolder } from './rejected-folder.ts';
import { closingLines, type Folder, rejectedIn } from './report.ts';
import { Remarks } from './suspicions.ts';
import { leaveOutTotals } from './totals.ts';
import { UnreadableCells } from './unreadable-cells.ts';
import { writeBook } from './write-book.ts';
import { manifestName, writeManifest } from './write-manifest.ts';

/** Turns files into a book (behaviour 25.2). The book appears when it is complete, or not at all. */
export async function convert(
  context: Context,
  { words: [files], options: flags }: { words: readonly [readonly string[]]; options: ConvertOptions },
): Promise<Result> {
  const options = { ...flags, files };
  const output = path.resolve(context.directory, options.output);
  const input = await openInput(context, files, options);
  await refuseOutput(context, options.output, { output, input });
  const workspace = `${output}.converting`;
  await makeWorkspace(workspace, options.output);
  // Where the reader of the output has gone, the process ends at once.
  const cleanUp = () => rmSync(workspace, { recursive: true, force: true });
  process.once('exit', cleanUp);
  const progress = createProgress(context, input.sources);
  try {
    const loaded = await input.load({ file: path.join(workspace, 'rows.sqlite'), folder: workspace, progress });
    try {
      return await convertIn({ context, options, loaded, progress, output, workspace });
    } finally {
      loaded.store.close();
    }
  } catch (error) {
    throw asFull(error, options.output);
  } finally {
    progress.end();
    process.off('exit', cleanUp);
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Run {
  context: Context;
  options: ConvertOptions;
  loaded: Loaded;
  progress: Progress;
  /** The whole paths of the book, and of the folder in which it is made. */
  output: string;
  workspace: string;
}

async function convertIn(run: Run): Promise<Result> {
  const { context, options, loaded, progress, output, workspace } = run;
  const { store } = loaded;
  const { relations, decisions } = decideStyles(store.database, loaded.relations, options);
  for (const file of loaded.files) {
    context.output.say(sentenceOfFile(file, { decisions, showsValues: options.showValues === true }));
    context.output.event('file', { file: file.table.source.name, kind: file.kind, rows: file.table.rows });
  }
  const remarks = new Remarks();
  leaveOutTotals(store, relations, remarks);
  const by = { ...assemblingOf(run, numberAccounts(store, relations)), remarks };
  const rejectedRows = new RejectedFolder(path.join(workspace, 'rejected'), by.unreadable);
  const book = path.join(workspace, 'book');
  const targets = { file: book, output, rejected: rejectedRows, onLines: progress.written };
  const written = await writeBook(store, { relations, by }, targets);
  const manifest = await writeManifest(loaded, path.join(workspace, 'manifest'));
  const rejected = rejectedIn(store, written);
  const folder = await keepRejected(run, rejectedRows.close());
  if (written.accounts + written.histories > 0) {
    await rename(book, output);
    if (manifest !== undefined) await rename(manifest, manifestName(output));
  }
  progress.end();
  const outcome = {
    loaded,
    decisions,
    written,
    rejected,
    folder,
    remarks: by.remarks.all,
    unreadable: by.unreadable.lost(),
  };
  sayFaults(context, outcome);
  const leftOut = options.leaveOutUnmatched === true ? written.rowsOfNoAccount : 0;
  return {
    ending: rejected.rows - leftOut + outcome.unreadable.length === 0 ? 'done' : 'refused',
    document: documentOf(options, outcome),
    lines: closingLines(written, { options, rejected, folder, decisions, hasManifest: manifest !== undefined }),
  };
}

function assemblingOf({ options, loaded: { store, isMapped } }: Run, accounts: number): Omit<Assembling, 'remarks'> {
  return {
    supplier: options.supplier,
    historyOnly: options.historyOnly === true,
    leavesOutUnmatched: options.leaveOutUnmatched === true,
    misses: findNearMisses(store, accounts),
    shown: options.showValues ? (text) => text : masked,
    unreadable: new UnreadableCells(isMapped ? store.database : undefined),
  };
}

/** Somebody may have fixed what an earlier run rejected. */
async function refuseOutput(
  { flags }: Context,
  name: string,
  { output, input }: { output: string; input: Input },
): Promise<void> {
  if (input.sources.some((source) => source.path === output)) {
    throw new Failure('usage', `${name} is one of the files to read.`);
  }
  if (flags.yes === true) return;
  for (const [there, shown] of [
    [output, name],
    [`${output}.rejected`, `${name}.rejected`],
  ] as const) {
    const isThere = await stat(there).then(
      () => true,
      () => false,
    );
    if (isThere) throw new Failure('usage', `${shown} is there already. Give another -o, or --yes to replace it.`);
  }
}

async function makeWorkspace(workspace: string, name: string): Promise<void> {
  await mkdir(workspace).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such folder' : error.message;
    if (error.code !== 'EEXIST') throw new Failure('usage', `${name} cannot be written: ${why}.`);
    const sentence = `Another run is writing ${name}, or was killed. If none is running, remove ${name}.converting.`;
    throw new Failure('usage', sentence);
  });
}

/** Puts the folder of rejected rows beside the output, in place of that of an earlier run. */
async function keepRejected(
  { options, output, workspace }: Run,
  files: readonly RejectedFile[],
): Promise<Folder | undefined> {
  await rm(`${output}.rejected`, { recursive: true, force: true });
  if (files.length === 0) return undefined;
  await rename(path.join(workspace, 'rejected'), `${output}.rejected`);
  const name = `${options.output}.rejected`;
  return { name, filesOf: (kind) => files.filter((file) => file.kind === kind).map((file) => `${name}/${file.name}`) };
}

const SQLITE_FULL = 13;

function asFull(error: unknown, output: string): unknown {
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (code !== 'ENOSPC' && errcode !== SQLITE_FULL) return error;
  const sentence = `The disk is full: nothing was written. Beside ${output} there must be room for twice the files.`;
  return new Failure('usage', sentence, { cause: error });
}
