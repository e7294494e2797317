import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { countsOf, keepSupplier, suppliersIn } from '../../convert/keep-supplier.ts';
import { loadMappedFiles, manifestOf } from '../../convert/mapped-relations.ts';
import { type Mapping, readMapping } from '../../convert/open-input.ts';
import { masked, sentenceOfFile } from '../../convert/outcome.ts';
import { createProgress } from '../../convert/progress.ts';
import { openStore, type Store } from '../../convert/store.ts';
import { type FileFlags, fileFlagsAgain, linesOfCommand, valueFlags } from '../../extract/file-flags.ts';
import { openFiles } from '../../extract/open-files.ts';
import { quotedName } from '../../extract/sql-names.ts';
import type { TextTable } from '../../extract/tables.ts';
import type { Context, Result } from '../../frame/define-command.ts';
import { Failure } from '../../frame/failure.ts';
import { writeWhole } from '../../frame/own-file.ts';
import type { MappingResult } from '../../mapping/relations.ts';
import { runMapping } from '../../mapping/run-mapping.ts';
import { quoted } from '../../terminal/lines.ts';
import { readSettings } from '../../validate/read-settings.ts';
import { lookAt } from '../survey-values.ts';
import { partlyEmptyColumns, unfilledFields, unusedColumns } from './coverage.ts';
import { lostRows } from './lost-rows.ts';
import { totalsOfFiles, totalsOfViews } from './money-totals.ts';
import { judgeLines, manifestFaults, previewAccounts } from './preview.ts';
import { type Checked, linesOfCheck } from './report.ts';
import { unreadableKinds } from './unreadable-values.ts';

/** The flags of `map check`, as commander reads them. */
export interface CheckOptions extends FileFlags, Readonly<Record<string, unknown>> {
  output?: string;
  supplier?: string;
  onlySupplier?: string;
  country?: string;
  mappingMinutes?: string;
}

const SAMPLE_ACCOUNTS = 1_000;
const SHOWN_ACCOUNTS = 5;

/** Runs a mapping and tells what it reaches and what it misses (behaviour 25.2.13). Nothing is sent, no book is written. */
export async function checkMapping(
  context: Context,
  { words: [name, files], options }: { words: readonly [string, readonly string[]]; options: CheckOptions },
): Promise<Result> {
  const mapping = await readMapping(context, name, options);
  const preview = path.resolve(context.directory, options.output ?? `${name.replace(/\.sql$/i, '')}.preview.ndjson`);
  const workspace = `${preview}.checking`;
  await mkdir(workspace, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    const what =
      error.code === 'EEXIST' ? `another check is running, or was killed: remove ${workspace}` : error.message;
    throw new Failure('usage', `The check cannot write its files: ${what}.`, { cause: error });
  });
  try {
    const checked = await checkIn(context, { mapping, files, options, workspace });
    const shown = checked.preview.lines.slice(0, SHOWN_ACCOUNTS).map((line) => `${line}\n`);
    await writeWhole({ file: preview, name: preview }, shown);
    const { lost, unreadable, manifest, refused } = checked;
    const { lines: _accounts, ...told } = checked.preview;
    const isClean =
      [lost, unreadable, manifest, told.leftOut].every(({ length }) => length === 0) &&
      told.rejected + refused.refused === 0;
    return {
      ending: isClean ? 'done' : 'refused',
      document: {
        ...checked,
        suppliers: Object.fromEntries(checked.suppliers),
        currencies: Object.fromEntries(checked.currencies),
        preview: { file: preview, ...told },
      },
      lines: linesOfCheck(checked, {
        preview: path.relative(context.directory, preview),
        columns: context.output.columns,
      }),
    };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Check {
  mapping: Mapping;
  files: readonly string[];
  options: CheckOptions;
  workspace: string;
}

async function checkIn(context: Context, check: Check): Promise<Checked> {
  const databaseFile = path.join(check.workspace, 'rows.sqlite');
  const ran = await runIn(context, check, databaseFile);
  const store = await openStore(databaseFile);
  try {
    keepSupplier(store.database, ran.result.relations, check.options);
    return await lookAtResult(context, { ...check, ...ran, store });
  } finally {
    store.close();
  }
}

interface Ran {
  tables: readonly TextTable[];
  result: MappingResult;
}

/** Reads the files and runs the mapping. Damaged rows are told, and left out: `convert` asks about them. */
async function runIn(context: Context, check: Check, databaseFile: string): Promise<Ran> {
  const { mapping, files, options, workspace: folder } = check;
  const commandWith = (flags: readonly string[]) => commandLines(check, flags);
  const sources = await openFiles(context, files, { ...options, commandWith });
  const progress = createProgress(context, sources);
  try {
    const { database, keep } = await openStore(databaseFile);
    const tables = await loadMappedFiles(sources, { database, options: { leaveOutDamaged: true }, progress });
    keep();
    for (const table of tables) {
      const told = { decisions: [], showsValues: options.showValues === true };
      context.output.say(sentenceOfFile({ table, kind: undefined }, told));
    }
    const result = await runMapping({
      ...{ databaseFile, mapping, limits: mapping.limits, folder, stop: context.stop },
      onStep: (what) => progress.step(`${mapping.name}: ${what}`),
    });
    return { tables, result };
  } finally {
    progress.end();
  }
}

function commandLines({ mapping, files, options }: Check, flags: readonly string[]): string[] {
  const { output, supplier, onlySupplier, country, mappingMinutes, showValues } = options;
  return linesOfCommand('causeway map check', [
    [mapping.name, ...files].map(quoted).join(' '),
    ...fileFlagsAgain(options),
    ...valueFlags({ output, supplier, 'only-supplier': onlySupplier, country, 'mapping-minutes': mappingMinutes }),
    ...(showValues === true ? ['--show-values'] : []),
    ...flags,
  ]);
}

interface Looking extends Check, Ran {
  store: Store;
}

async function lookAtResult(context: Context, { mapping, options, tables, result, store }: Looking): Promise<Checked> {
  const { database } = store;
  const { relations, reads } = result;
  const shown = options.showValues === true ? (text: string) => text : masked;
  const isFilled = ({ table }: { table: string }, column: string) =>
    database.prepare(`SELECT 1 FROM ${quotedName(table)} WHERE ${quotedName(column)} <> '' LIMIT 1`).get() !==
    undefined;
  const found = {
    files: tables.map(({ source, rows, remarks }) => ({ file: source.name, rows, left_out: remarks })),
    unused: unusedColumns(tables, reads),
    unfilled: unfilledFields(relations, { isFilled, hasSupplier: options.supplier !== undefined }),
    partlyEmpty: partlyEmptyColumns(database, relations),
    rounded: relations.flatMap(({ name: view, reals }) => reals.map((real) => ({ view, ...real }))),
    unreadable: unreadableKinds(database, relations, shown),
    lost: lostRows(database, relations),
    manifest: manifestFaults(store, manifestOf(relations)),
    suppliers: suppliersIn(database, relations),
    currencies: countsOf(database, { views: relations, view: 'statements', field: 'currency' }),
    totals: {
      views: totalsOfViews(database, relations),
      files: totalsOfFiles(
        database,
        tables.map((table) => lookAt(database, table)),
      ),
    },
  };
  const { supplier } = options;
  const preview = await previewAccounts(store, {
    mapping: mapping.name,
    relations,
    supplier,
    accounts: SAMPLE_ACCOUNTS,
    shown,
  });
  const settings = await readSettings(context, options, supplierOf(preview.lines[0]));
  return { ...found, settings, preview, refused: judgeLines(preview.lines, settings) };
}

/** The supplier that the first account names; any name where it has no supplier. */
function supplierOf(line: string | undefined): string {
  const account: unknown = line === undefined ? undefined : Object(JSON.parse(line)).account;
  return String(Object(account).import_supplier ?? 'SUPPLIER');
}
