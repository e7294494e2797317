import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { csvLine } from '@causeway/book';
import { loadMappedFiles } from '../convert/mapped-relations.ts';
import { type Mapping, readMapping } from '../convert/open-input.ts';
import { sentenceOfFile } from '../convert/outcome.ts';
import { createProgress } from '../convert/progress.ts';
import { openStore } from '../convert/store.ts';
import { type FileFlags, fileFlagsAgain, linesOfCommand, valueFlags } from '../extract/file-flags.ts';
import { openFiles } from '../extract/open-files.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { limitsNamed, type QueryAnswer } from '../mapping/messages.ts';
import { runQuery } from '../mapping/run-mapping.ts';
import { quoted } from '../terminal/lines.ts';
import { counted } from '../terminal/numbers.ts';

/** The flags of `map query`, as commander reads them. */
interface QueryOptions extends FileFlags {
  mapping?: string;
  limit: string;
  mappingMinutes?: string;
}

const MOST_ROWS = 100_000;

/** Looks into files with one SELECT, confined as a mapping is (behaviour 25.2.16). Nothing is kept. */
export async function queryFiles(
  context: Context,
  { words: [text, files], options }: { words: readonly [string, readonly string[]]; options: QueryOptions },
): Promise<Result> {
  const rows = /^\d{1,6}$/.test(options.limit) ? Number(options.limit) : 0;
  if (rows < 1 || rows > MOST_ROWS)
    throw new Failure('usage', `--limit ${options.limit}: give a number of rows from 1 to ${MOST_ROWS}.`);
  const mapping: Mapping =
    options.mapping === undefined
      ? { name: 'No mapping', text: '', limits: limitsNamed(options.mappingMinutes) }
      : await readMapping(context, options.mapping, options);
  const workspace = await mkdtemp(path.join(context.directory, '.causeway-query-'));
  try {
    const { columns, ...answer } = await answerIn(context, {
      mapping,
      files,
      options,
      workspace,
      query: { text, rows },
    });
    if (context.output.form === 'text') {
      for (const row of [columns, ...answer.rows]) await context.output.data(csvLine(row));
    }
    for (const row of answer.rows) context.output.event('row', { cells: row });
    if (answer.leftOut > 0)
      context.output.say(
        `${counted(answer.leftOut, 'more row')} left out: give --limit, or let the query count or add up.`,
      );
    const shown = context.output.form === 'json' ? { rows: answer.rows } : {};
    return { document: { columns, ...shown, left_out: answer.leftOut } };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Asking {
  mapping: Mapping;
  files: readonly string[];
  options: QueryOptions;
  workspace: string;
  query: { text: string; rows: number };
}

async function answerIn(context: Context, asking: Asking): Promise<QueryAnswer> {
  const { mapping, files, options, workspace: folder, query } = asking;
  const commandWith = (flags: readonly string[]) => commandLines(asking, flags);
  const sources = await openFiles(context, files, { ...options, commandWith });
  const progress = createProgress(context, sources);
  const databaseFile = path.join(folder, 'rows.sqlite');
  try {
    const { database, keep } = await openStore(databaseFile);
    const tables = await loadMappedFiles(sources, { database, options: { leaveOutDamaged: true }, progress });
    keep();
    for (const table of tables) {
      const told = { decisions: [], showsValues: options.showValues === true };
      context.output.say(`${table.name}: ${sentenceOfFile({ table, kind: undefined }, told)}`);
    }
    return await runQuery({
      ...{ databaseFile, mapping, query, limits: mapping.limits, folder, stop: context.stop },
      onStep: (what) => progress.step(what),
    });
  } finally {
    progress.end();
  }
}

function commandLines({ files, options, query }: Asking, flags: readonly string[]): string[] {
  const { mapping, limit, mappingMinutes } = options;
  return linesOfCommand('causeway map query', [
    [query.text, ...files].map(quoted).join(' '),
    ...valueFlags({ mapping, limit, 'mapping-minutes': mappingMinutes }),
    ...fileFlagsAgain(options),
    ...flags,
  ]);
}
