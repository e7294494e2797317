import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sampleAccounts, sampleLine } from '@causeway/realistic-books';
import { commandLines } from '../convert/command-line.ts';
import type { KindName } from '../convert/kind-names.ts';
import type { ConvertOptions } from '../convert/options.ts';
import { packed } from '../convert/write-book.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { refuseToReplace, streamToPart } from '../frame/own-file.ts';
import { isRealDay } from '../frame/real-day.ts';
import { quoted } from '../terminal/lines.ts';
import { counted } from '../terminal/numbers.ts';
import { type CsvOfKind, writeCsv } from './write-csv.ts';

/** The flags of `sample`, as commander reads them. */
export interface SampleOptions {
  accounts: string;
  output?: string;
  csv?: string;
  supplier: string;
  seed: string;
  date?: string;
  faults?: boolean;
}

/** Writes a sample book, and the same as CSV files (behaviour 25.2.9). */
export async function sample(context: Context, { options }: { options: SampleOptions }): Promise<Result> {
  const { output, csv } = options;
  if (csv !== undefined && options.faults === true) {
    throw new Failure('usage', 'CSV files cannot say all that is faulty: leave out --csv or --faults.');
  }
  const lines = linesOf(context, options);
  if (output === undefined && csv === undefined) {
    for (const line of lines()) {
      if (context.stop.aborted) throw new Failure('interrupted', 'Interrupted.');
      await context.output.data(`${JSON.stringify(line)}\n`);
    }
    return { document: { accounts: Number(options.accounts) } };
  }
  await refuseToReplace(context, [output, csv], 'name');
  if (output !== undefined) await writeBook(context, { lines, output });
  const files = csv === undefined ? [] : await writeFolder(context, { lines, csv });
  return {
    document: { accounts: Number(options.accounts), output, csv: files.map(({ name }) => `${csv}/${name}`) },
    lines: [
      ...(output === undefined
        ? []
        : [`${output}: ${counted(Number(options.accounts), 'account')} of ${options.supplier}.`]),
      ...(csv === undefined ? [] : [`${csv}/: the same in ${counted(files.length, 'CSV file')}.`]),
      ...nextLines(options, files),
    ],
  };
}

function linesOf({ now }: Context, options: SampleOptions): () => Iterable<object> {
  const accounts = Number(options.accounts);
  const bookDate = options.date ?? now().toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (!/^[1-9]\d{0,7}$/.test(options.accounts)) {
    throw new Failure('usage', `--accounts takes a whole number from 1, not "${options.accounts}".`);
  }
  if (!isRealDay(bookDate)) {
    throw new Failure('usage', `--date takes a day such as 2026-04-20, not "${bookDate}".`);
  }
  const { seed, supplier: importSupplier, faults } = options;
  return function* () {
    const book = { seed, importSupplier, accounts, bookDate, isPlain: faults !== true };
    for (const account of sampleAccounts(book)) yield sampleLine(account);
  };
}

type Writing = { lines: () => Iterable<object> };

async function writeBook({ directory, stop }: Context, { lines, output }: Writing & { output: string }): Promise<void> {
  const file = path.resolve(directory, output);
  const unfinished = `${file}.unfinished`;
  const target = await streamToPart(unfinished, output);
  const source = Readable.from(textsOf(lines()), { objectMode: false });
  try {
    await pipeline([source, ...packed(output), target], { signal: stop });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw unwritable(error, output);
  }
}

function* textsOf(lines: Iterable<object>): Generator<string> {
  for (const line of lines) yield `${JSON.stringify(line)}\n`;
}

async function writeFolder({ directory }: Context, { lines, csv }: Writing & { csv: string }): Promise<CsvOfKind[]> {
  const folder = path.resolve(directory, csv);
  try {
    await mkdir(folder, { recursive: true });
    return await writeCsv(lines, folder);
  } catch (error) {
    throw unwritable(error, csv);
  }
}

function unwritable(error: unknown, name: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || code === 'ABORT_ERR') return error;
  return new Failure('usage', `${name} cannot be written: ${message}.`, { cause: error });
}

function nextLines({ output, csv }: SampleOptions, files: readonly CsvOfKind[]): string[] {
  if (output !== undefined) return ['Next:', `  causeway validate ${quoted(output)} --country GB`];
  const options: ConvertOptions = { output: 'book.ndjson' };
  const filesOf = (kind: KindName) => files.filter((file) => file.kind === kind).map(({ name }) => `${csv}/${name}`);
  return ['Next:', ...commandLines(options, { files: filesOf })];
}
