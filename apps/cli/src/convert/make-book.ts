import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Context, Result } from '../frame/define-command.ts';
import { numberAccounts } from './accounts-in-order.ts';
import type { Assembling } from './assemble.ts';
import { type Loaded, loadInput } from './load-input.ts';
import { findNearMisses } from './near-misses.ts';
import type { Opened } from './open-input.ts';
import type { ConvertOptions } from './options.ts';
import { documentOf, masked, sayFaults, sentenceOfFile } from './outcome.ts';
import type { Progress } from './progress.ts';
import { decideStyles } from './questions.ts';
import { type RejectedFile, RejectedFolder } from './rejected-folder.ts';
import { closingLines, type Folder, rejectedIn } from './report.ts';
import { Remarks } from './suspicions.ts';
import { leaveOutTotals } from './totals.ts';
import { UnreadableCells } from './unreadable-cells.ts';
import { writeBook } from './write-book.ts';
import { manifestName, writeManifest } from './write-manifest.ts';

/** A conversion whose files were opened. */
export interface Run {
  context: Context;
  options: ConvertOptions;
  progress: Progress;
  /** The whole paths of the book, and of the folder in which it is made. */
  output: string;
  workspace: string;
}

/** Reads what was opened, and writes the book, the rejected rows and the manifest. */
export async function makeBook(opened: Opened, run: Run): Promise<Result> {
  const loaded = await loadInput(opened, { ...run, file: path.join(run.workspace, 'rows.sqlite') });
  try {
    return await makeOf({ ...run, loaded });
  } finally {
    loaded.store.close();
  }
}

type LoadedRun = Run & { loaded: Loaded };

async function makeOf(run: LoadedRun): Promise<Result> {
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

function assemblingOf(
  { options, loaded: { store, isMapped } }: LoadedRun,
  accounts: number,
): Omit<Assembling, 'remarks'> {
  return {
    supplier: options.supplier,
    historyOnly: options.historyOnly === true,
    leavesOutUnmatched: options.leaveOutUnmatched === true,
    misses: findNearMisses(store, accounts),
    shown: options.showValues ? (text) => text : masked,
    unreadable: new UnreadableCells(isMapped ? store.database : undefined),
  };
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
