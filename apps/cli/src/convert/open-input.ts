import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answersWith } from '../extract/file-flags.ts';
import { openFiles, sourceFlags } from '../extract/open-files.ts';
import { checkEach } from '../extract/question.ts';
import { openSources, type Source } from '../extract/source.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { limitsNamed, type MappingLimits } from '../mapping/messages.ts';
import { commandLines } from './command-line.ts';
import { KIND_NAMES, type KindName } from './kind-names.ts';
import { type ConvertOptions, checkKinds, filesOf, valueFor } from './options.ts';

/** What a book is made from: files of kinds, or of a mapping. */
export interface Opened {
  sources: readonly Source[];
  kinds?: readonly KindSource[];
  mapping?: Mapping;
}

/** A file of the command, of a kind. */
export interface KindSource {
  kind: KindName;
  source: Source;
}

/** A file of SQL, as it was named. */
export interface Mapping {
  name: string;
  text: string;
  limits: MappingLimits;
}

/** @throws Failure where it cannot be read, or its limit is none */
export async function readMapping(
  { directory }: Context,
  name: string,
  { mappingMinutes }: { mappingMinutes?: string | undefined },
): Promise<Mapping> {
  const limits = limitsNamed(mappingMinutes);
  try {
    return { name, limits, text: await readFile(path.resolve(directory, name), 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file. causeway map FILES writes one' : message;
    throw new Failure('usage', `${name} cannot be read: ${why}.`, { cause: error });
  }
}

/** Looks at the files that a mapping reads. */
async function openMappedFiles(context: Context, files: readonly string[], options: ConvertOptions): Promise<Source[]> {
  if (files.length > 0)
    return openFiles(context, files, { ...options, commandWith: (flags) => commandLines(options, { flags }) });
  throw new Failure('usage', 'Name the files that the mapping reads: causeway convert --mapping mapping.sql FILES.');
}

/** Looks at all files that the command names: of kinds, by their flags, or of a mapping. */
export async function openInput(context: Context, files: readonly string[], options: ConvertOptions): Promise<Opened> {
  checkKinds(options);
  const hasKinds = KIND_NAMES.some((kind) => filesOf(options, kind).length > 0);
  if (options.mapping !== undefined) {
    if (hasKinds)
      throw new Failure(
        'usage',
        'With --mapping, files have no kinds: name them alone, without --accounts and its like.',
      );
    const mapping = await readMapping(context, options.mapping, options);
    return { mapping, sources: await openMappedFiles(context, files, options) };
  }
  if (options.recordKinds !== undefined)
    throw new Failure('usage', '--record-kinds needs --mapping: its views say what each kind of record is.');
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
  const kinds = await openKindSources(context, options);
  return { kinds, sources: kinds.map(({ source }) => source) };
}

/** Looks at all files that the command names, in the order of the kinds. */
async function openKindSources({ directory }: Context, options: ConvertOptions): Promise<KindSource[]> {
  const files = KIND_NAMES.flatMap((kind) => filesOf(options, kind).map((name) => ({ kind, name })));
  const found: KindSource[] = [];
  const open = async ({ kind, name }: { kind: KindName; name: string }, index: number) => {
    const before = files.slice(0, index).filter((other) => other.kind === kind);
    refuseTwice(
      before.map((other) => other.name),
      { name, directory },
    );
    const said = sourceFlags(options, { said: (texts) => valueFor(texts, kind), scope: kind });
    const sources = await openSources({ name, path: path.resolve(directory, name) }, said);
    found.push(...sources.map((source) => ({ kind, source })));
  };
  await checkEach(files, open, (more) => answersWith(more, (flags) => commandLines(options, { flags })));
  return found;
}

/** Its rows would be sent twice. */
function refuseTwice(before: readonly string[], { name, directory }: { name: string; directory: string }): void {
  const isSame = (other: string) => path.resolve(directory, other) === path.resolve(directory, name);
  if (before.some(isSame)) throw new Failure('usage', `${name} is named twice.`);
}
