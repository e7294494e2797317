import type { TextTable } from '../extract/tables.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import type { Relation as MappedView } from '../mapping/relations.ts';
import { runMapping } from '../mapping/run-mapping.ts';
import { counted } from '../terminal/numbers.ts';
import { keepSupplier } from './keep-supplier.ts';
import type { KindName } from './kind-names.ts';
import { loadRelations } from './load-relations.ts';
import { loadMappedFiles, manifestOf, relationsOf } from './mapped-relations.ts';
import type { Mapping, Opened } from './open-input.ts';
import type { ConvertOptions } from './options.ts';
import type { Progress } from './progress.ts';
import type { UnreadRelation } from './relations.ts';
import { openStore, type Store } from './store.ts';

/** A file that was read, and the kind that its flag says. */
export interface LoadedFile {
  table: TextTable;
  kind: KindName | undefined;
}

/** What was read. */
export interface Loaded {
  store: Store;
  relations: readonly UnreadRelation[];
  files: readonly LoadedFile[];
  /** Of a mapping. */
  isMapped: boolean;
  manifest: MappedView | undefined;
}

interface Loading {
  context: Context;
  options: ConvertOptions;
  progress: Progress;
  /** For the rows, and for whatever a mapping needs. */
  workspace: string;
  file: string;
}

/** Reads all files into the store, and a mapping's views. */
export async function loadInput({ kinds = [], mapping, sources }: Opened, by: Loading): Promise<Loaded> {
  if (mapping !== undefined) return loadMapped(mapping, sources, by);
  if (by.options.onlySupplier !== undefined)
    throw new Failure('usage', '--only-supplier needs --mapping: give the files of one import supplier at a time.');
  const store = await openStore(by.file);
  const loaded = await loadRelations(kinds, { store, ...by });
  const files = loaded.map(({ kind, loaded: table }) => ({ table, kind: kind.name }));
  return { store, relations: loaded, files, isMapped: false, manifest: undefined };
}

async function loadMapped(
  mapping: Mapping,
  sources: Opened['sources'],
  { context, options, progress, workspace: folder, file }: Loading,
): Promise<Loaded> {
  const tables = await openStore(file);
  const loaded = await loadMappedFiles(sources, { database: tables.database, options, progress });
  tables.keep();
  const { relations: views } = await runMapping({
    ...{ databaseFile: file, mapping, limits: mapping.limits, folder, stop: context.stop },
    onStep: (what) => progress.step(`${mapping.name}: ${what}`),
  });
  const store = await openStore(file);
  const others = keepSupplier(store.database, views, options);
  if (others > 0) context.output.say(`${counted(others, 'account')} of other import suppliers left out.`);
  const relations = await relationsOf(store, views, { mapping: mapping.name, options });
  const files = loaded.map((table) => ({ table, kind: undefined }));
  return { store, relations, files, isMapped: true, manifest: manifestOf(views) };
}
