import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { type CsvFile, openCsv } from './csv-file.ts';
import { judgeAccounts } from './judge-accounts.ts';
import { KINDS } from './kinds.ts';
import { loadAll } from './load-all.ts';
import type { LoadedFile } from './load-file.ts';
import { type ConvertOptions, filesOf, KIND_NAMES } from './options.ts';
import { createProgress } from './progress.ts';
import { closingLines, type Folder, linesOfFault, rejectedIn } from './report.ts';
import { openStore, type Store } from './store.ts';
import { writeBook } from './write-book.ts';
import { writeRejected } from './write-rejected.ts';

/** Turns CSV files into a book (behaviour 25.2). The book appears when it is complete, or not at all. */
export async function convert(context: Context, { options }: { options: ConvertOptions }): Promise<Result> {
  const output = path.resolve(context.directory, options.output);
  const files = await openFiles(context, options);
  await refuseOutput(context, options, { output, files });
  const workspace = `${output}.converting`;
  await makeWorkspace(workspace, options.output);
  try {
    const store = await openStore(path.join(workspace, 'rows.sqlite'));
    try {
      return await convertIn({ context, options, files, store, output, workspace });
    } finally {
      store.close();
    }
  } catch (error) {
    throw asFull(error, options.output);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Run {
  context: Context;
  options: ConvertOptions;
  files: readonly CsvFile[];
  store: Store;
  output: string;
  workspace: string;
}

async function convertIn(run: Run): Promise<Result> {
  const { context, options, store, output, workspace } = run;
  const progress = createProgress(context, run.files);
  const loaded = await loadAll({
    ...run,
    progress,
    onLoaded({ name, kind, rows }, sentence) {
      context.output.say(sentence);
      context.output.event('file', { file: name, kind: kind.name, rows });
    },
  });
  judgeAccounts(store, loaded, options.historyOnly === true);
  const rejected = rejectedIn(store, loaded);
  const book = path.join(workspace, 'book');
  const written = await writeBook(store, book, { output, onLines: progress.written });
  const folder = rejected.rows === 0 ? undefined : await keepRejected(run, loaded);
  if (written.accounts + written.histories > 0) await rename(book, output);
  progress.end();
  for (const fault of rejected.faults) {
    for (const line of linesOfFault(fault, context.output.columns)) context.output.say(line);
  }
  if (rejected.others > 0) context.output.say(`And ${rejected.others} other kinds of fault: see ${folder?.name}.`);
  const document = {
    output: options.output,
    accounts: written.accounts,
    histories: written.histories,
    files: loaded.map(({ name, kind, rows, encoding, separator, guessedDateFormat }) => {
      return {
        file: name,
        kind: kind.name,
        rows,
        encoding,
        separator,
        ...(guessedDateFormat && { date_format: guessedDateFormat }),
      };
    }),
    rejected: { accounts: rejected.accounts, rows: rejected.rows, faults: rejected.faults, folder: folder?.name },
  };
  const supplier = supplierOf(store);
  return {
    ending: rejected.rows === 0 ? 'done' : 'refused',
    document,
    lines: closingLines(written, { options, supplier, rejected, folder }),
  };
}

async function openFiles({ directory }: Context, options: ConvertOptions): Promise<CsvFile[]> {
  const { decimalComma = [] } = options;
  const other =
    decimalComma === true ? undefined : decimalComma.find((kind) => !KINDS.some(({ name }) => name === kind));
  if (other !== undefined) {
    throw new Failure('usage', `--decimal-comma takes a kind: ${KIND_NAMES.join(', ')}; not "${other}".`);
  }
  const named = KINDS.flatMap((kind) => filesOf(options, kind.name).map((name) => ({ kind, name })));
  if (named.length === 0) throw new Failure('usage', 'Give at least --accounts, with a CSV file of accounts.');
  if (filesOf(options, 'accounts').length === 0 && options.historyOnly !== true) {
    throw new Failure('usage', 'Give --accounts too or, if the accounts exist already, --history-only.');
  }
  const files: CsvFile[] = [];
  for (const [index, { kind, name }] of named.entries()) {
    files.push(await openCsv({ index, kind, name, path: path.resolve(directory, name) }, options));
  }
  return files;
}

/** Somebody may have fixed what an earlier run rejected. */
async function refuseOutput(
  { flags }: Context,
  { output: name }: ConvertOptions,
  { output, files }: { output: string; files: readonly CsvFile[] },
): Promise<void> {
  if (files.some((file) => file.path === output)) throw new Failure('usage', `${name} is one of the files to read.`);
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

/** Puts the folder of rejected rows beside the output. */
async function keepRejected(
  { options, store, output, workspace }: Run,
  loaded: readonly LoadedFile[],
): Promise<Folder> {
  const made = path.join(workspace, 'rejected');
  const files = await writeRejected(store, loaded, made);
  await rm(`${output}.rejected`, { recursive: true, force: true });
  await rename(made, `${output}.rejected`);
  const name = `${options.output}.rejected`;
  return { name, filesOf: (kind) => files.filter((file) => file.kind === kind).map((file) => `${name}/${file.name}`) };
}

/** The supplier of the first account. */
function supplierOf({ database }: Store): string | undefined {
  const row = database
    .prepare("SELECT json ->> 'import_supplier' AS code FROM accounts WHERE json IS NOT NULL LIMIT 1")
    .get();
  return typeof row?.code === 'string' ? row.code : undefined;
}

const SQLITE_FULL = 13;

function asFull(error: unknown, output: string): unknown {
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (code !== 'ENOSPC' && errcode !== SQLITE_FULL) return error;
  const sentence = `The disk is full: nothing was written. Beside ${output} there must be room for twice the files.`;
  return new Failure('usage', sentence, { cause: error });
}
