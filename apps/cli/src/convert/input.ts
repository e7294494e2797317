import type { Source } from '../extract/source.ts';
import type { TextTable } from '../extract/tables.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import type { Relation as MappedView } from '../mapping/relations.ts';
import { runMapping } from '../mapping/run-mapping.ts';
import { KIND_NAMES, type KindName } from './kind-names.ts';
import { loadRelations, openKindSources } from './load-relations.ts';
import { loadMappedFiles, manifestOf, openMappedFiles, readMapping, relationsOf } from './mapped-relations.ts';
import { type ConvertOptions, checkKinds, filesOf } from './options.ts';
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

/** What a book is made from. */
export interface Input {
  sources: readonly Source[];
  load(into: { file: string; folder: string; progress: Progress }): Promise<Loaded>;
}

/** Looks at all files that the command names: of kinds, by their flags, or of a mapping. */
export async function openInput(context: Context, files: readonly string[], options: ConvertOptions): Promise<Input> {
  checkKinds(options);
  const hasKinds = KIND_NAMES.some((kind) => filesOf(options, kind).length > 0);
  if (options.mapping !== undefined) {
    if (hasKinds)
      throw new Failure(
        'usage',
        'With --mapping, files have no kinds: name them alone, without --accounts and its like.',
      );
    return mappedInput(context, files, { ...options, mapping: options.mapping });
  }
  if (files.length > 0) {
    const lines = ['  Files of another system need a mapping first: causeway map FILES'];
    throw new Failure('usage', `Say what ${files[0]} holds, such as --accounts ${files[0]}, or give --mapping.`, {
      lines,
    });
  }
  if (!hasKinds) throw new Failure('usage', 'Give at least --accounts, with a file of accounts.');
  if (filesOf(options, 'accounts').length === 0 && options.historyOnly !== true) {
    throw new Failure('usage', 'Give --accounts too or, if the accounts exist already, --history-only.');
  }
  return kindInput(context, options);
}

async function kindInput(context: Context, options: ConvertOptions): Promise<Input> {
  const sources = await openKindSources(context, options);
  return {
    sources: sources.map(({ source }) => source),
    async load({ file, progress }) {
      const store = await openStore(file);
      const loaded = await loadRelations(sources, { store, options, progress });
      const files = loaded.map(({ kind, loaded: table }) => ({ table, kind: kind.name }));
      return { store, relations: loaded, files, isMapped: false, manifest: undefined };
    },
  };
}

async function mappedInput(
  context: Context,
  names: readonly string[],
  options: ConvertOptions & { mapping: string },
): Promise<Input> {
  const mapping = await readMapping(context, options.mapping);
  const sources = await openMappedFiles(context, names, options);
  return {
    sources,
    async load({ file, folder, progress }) {
      const tables = await openStore(file);
      const loaded = await loadMappedFiles(sources, { database: tables.database, options, progress });
      tables.keep();
      const { relations: views } = await runMapping({
        ...{ databaseFile: file, mapping, folder, stop: context.stop },
        onStep: (what) => progress.step(`${mapping.name}: ${what}`),
      });
      const store = await openStore(file);
      const relations = await relationsOf(store, views, { mapping: mapping.name, options });
      const files = loaded.map((table) => ({ table, kind: undefined }));
      return { store, relations, files, isMapped: true, manifest: manifestOf(views) };
    },
  };
}
