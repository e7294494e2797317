import path from 'node:path';
import { viewOf } from '../convert/kind-names.ts';
import { type DamagedRows, damagedRows } from '../convert/mapped-relations.ts';
import { sentenceOfFile } from '../convert/outcome.ts';
import { createProgress } from '../convert/progress.ts';
import { openStore } from '../convert/store.ts';
import { type FileFlags, fileFlagsAgain, linesOfCommand, valueFlags } from '../extract/file-flags.ts';
import { openFiles } from '../extract/open-files.ts';
import type { Source } from '../extract/source.ts';
import { tableNames } from '../extract/table-names.ts';
import { loadTable, type TextTable } from '../extract/tables.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { refuseToReplace, writeWhole } from '../frame/own-file.ts';
import { quoted } from '../terminal/lines.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { propose } from './propose.ts';
import { lookAt } from './survey-values.ts';
import { type Draft, withoutAccount, writeMapping } from './write-mapping.ts';

/** The flags of `map`, as commander reads them. */
export interface MapOptions extends FileFlags {
  output: string;
  supplier?: string;
  timeZone?: string;
  country?: string;
}

/** Of larger files the first rows are looked at, and the draft says so. */
const MOST_ROWS = 200_000;

/** Proposes a mapping for files of another system (behaviour 25.2.12). The draft appears when it is complete, or not at all. */
export async function map(
  context: Context,
  { words: [files], options }: { words: readonly [readonly string[]]; options: MapOptions },
): Promise<Result> {
  await refuseToReplace(context, [options.output]);
  const sources = await openFiles(context, files, {
    ...options,
    commandWith: (flags) => commandLines(files, options, flags),
  });
  const names = tableNames(sources);
  const store = await openStore('');
  try {
    const tables = await loadTables(context, {
      sources,
      names,
      database: store.database,
      showsValues: options.showValues === true,
    });
    const facts = tables.map((table) => lookAt(store.database, table));
    const draft = propose(facts, store.database, knowledgeOf(options));
    const words = tables.map((table) => ({ table: table.name, says: wordsOfTable(table, decidedIn(draft)) }));
    const file = path.resolve(context.directory, options.output);
    await writeWhole({ file, name: options.output }, [writeMapping(draft, words, options.supplier)]);
    return resultOf(draft, tables, { files, options });
  } finally {
    store.close();
  }
}

function commandLines(files: readonly string[], options: MapOptions, flags: readonly string[]): string[] {
  const { timeZone, showValues, output } = options;
  return linesOfCommand('causeway map', [
    files.map(quoted).join(' '),
    ...flagsAgain(options),
    ...valueFlags({ 'time-zone': timeZone, output }),
    ...(showValues === true ? ['--show-values'] : []),
    ...flags,
  ]);
}

function knowledgeOf({ timeZone, country }: MapOptions): { timeZone: string | undefined; country: string | undefined } {
  if (country !== undefined && !/^[A-Z]{2}$/.test(country)) {
    throw new Failure('usage', `"${country}" is no country. Give two capitals, such as --country GB.`);
  }
  return { timeZone, country };
}

interface Loading {
  sources: readonly Source[];
  names: readonly string[];
  database: Parameters<typeof loadTable>[0];
  showsValues: boolean;
}

async function loadTables(context: Context, { sources, names, database, showsValues }: Loading): Promise<TextTable[]> {
  const progress = createProgress(context, sources);
  const tables: TextTable[] = [];
  for (const [index, source] of sources.entries()) {
    progress.begin(source);
    const at = { source, name: names[index] ?? '', mostRows: MOST_ROWS };
    const table = await loadTable(database, at, progress);
    const damaged = damagedRows(database, at.name);
    const remarks = damaged === undefined ? table.remarks : [...table.remarks, wordsOfDamaged(damaged)];
    context.output.say(
      sentenceOfFile({ table: { ...table, remarks }, kind: undefined }, { decisions: [], showsValues }),
    );
    tables.push(table);
  }
  progress.end();
  return tables;
}

/** `convert` asks about such rows; here they only say nothing of their columns. */
const wordsOfDamaged = ({ rows, lines, fault }: DamagedRows) =>
  `${counted(rows, 'damaged row')} not looked at: ${lines}. The first: ${fault.replace(/\.$/, '')}`;

/** A column of a file, and the place in a view that it fills. */
interface Decided {
  table: string;
  column: string;
  view: string;
  path: string;
}

function decidedIn({ parts }: Draft): Decided[] {
  const whole = parts.filter((part) => part.lacks === undefined && !withoutAccount(part));
  return whole.flatMap(({ kind, table, columns }) =>
    columns.flatMap(({ column, also, path: to, from }) =>
      [column, also].flatMap((name) =>
        name === undefined ? [] : [{ table: from ?? table, column: name, view: viewOf(kind), path: to }],
      ),
    ),
  );
}

/** How many columns of a file are decided; each may be in several views. */
const countIn = ({ name, columns }: TextTable, decided: readonly Decided[]) =>
  columns.filter((column) => decided.some((one) => one.table === name && one.column === column)).length;

function wordsOfTable(table: TextTable, decided: readonly Decided[]): string {
  const { rows, columns } = table;
  const first = rows >= MOST_ROWS ? `its first ${grouped(rows)} rows were looked at` : counted(rows, 'row');
  return `${first}, ${countIn(table, decided)} of ${counted(columns.length, 'column')} decided`;
}

function resultOf(
  draft: Draft,
  tables: readonly TextTable[],
  { files, options }: { files: readonly string[]; options: MapOptions },
): Result {
  const { output } = options;
  const decided = decidedIn(draft);
  const all = tables.reduce((sum, { columns }) => sum + columns.length, 0);
  const count = tables.reduce((sum, table) => sum + countIn(table, decided), 0);
  return {
    document: { output, decided, open: Object.fromEntries(draft.open) },
    lines: [
      `${output}: ${count} of ${counted(all, 'column')} decided, ${all - count} open. Read every line before you use it.`,
      ...(count < all ? ['What fields there are: causeway fields WORD, such as causeway fields transactions.'] : []),
      'Next:',
      `  causeway map check ${[...[output, ...files].map(quoted), ...flagsAgain(options)].join(' ')}`,
    ],
  };
}

/** What was said of the files, for another command. */
const flagsAgain = ({ supplier, country, ...options }: MapOptions) => [
  ...fileFlagsAgain(options),
  ...valueFlags({ supplier, country }),
];
