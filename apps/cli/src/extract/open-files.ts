import path from 'node:path';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { widthsNamed } from './fixed-width-rows.ts';
import { openSources, type Source } from './source.ts';

/** How files are written, for all of them or, as `FILE=...`, for one. */
export interface FileFlags {
  encoding?: readonly string[];
  separator?: readonly string[];
  fixedWidth?: readonly string[];
  sheet?: readonly string[];
  showValues?: boolean;
}

/** Looks at all files that a command names, in their order. */
export async function openFiles({ directory }: Context, files: readonly string[], flags: FileFlags): Promise<Source[]> {
  refuseOtherNames(files, flags);
  const sources: Source[] = [];
  for (const name of files) {
    const fixedWidth = saidOf(flags.fixedWidth, name);
    const found = await openSources(
      { name, path: path.resolve(directory, name) },
      {
        encoding: saidOf(flags.encoding, name),
        separator: saidOf(flags.separator, name),
        fixedWidth: fixedWidth === undefined ? undefined : widthsNamed(fixedWidth),
        sheet: saidOf(flags.sheet, name),
        flagOf: (flag) => `--${flag} ${path.basename(name)}=`,
        showsValues: flags.showValues === true,
      },
    );
    sources.push(...found);
  }
  return sources;
}

const OF_A_FILE = /^([^=:]+\.\w+)=/;

function refuseOtherNames(files: readonly string[], { encoding, separator, fixedWidth, sheet }: FileFlags): void {
  const names = files.map((file) => path.basename(file));
  const said = [encoding, separator, fixedWidth, sheet].flatMap((texts) => texts ?? []);
  const other = said
    .map((text) => OF_A_FILE.exec(text)?.[1])
    .find((name) => name !== undefined && !names.includes(name));
  if (other === undefined) return;
  throw new Failure('usage', `A flag says how ${other} is written, and no such file is given.`, {
    lines: [`  The files: ${names.join(', ')}`],
  });
}

/** What a flag says of a file by its name, or of all. */
function saidOf(said: readonly string[] = [], file: string): string | undefined {
  const own = said.filter((text) => text.startsWith(`${path.basename(file)}=`)).at(-1);
  if (own !== undefined) return own.slice(path.basename(file).length + 1);
  return said.filter((text) => !OF_A_FILE.test(text)).at(-1);
}
