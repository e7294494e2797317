import path from 'node:path';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { answersWith, type FileFlags } from './file-flags.ts';
import { filesNamed, isLetter } from './find-files.ts';
import { widthsNamed } from './fixed-width-rows.ts';
import { checkEach } from './question.ts';
import { openSources, type Source, type SourceFlags } from './source.ts';

/**
 * Looks at all files that a command names, in their order: a folder is all its files. What is written to a reader, such as
 * README.txt, is left out, and said, unless a flag names it.
 *
 * @param commandWith the lines of the command with further flags
 * @throws Failure with what is wrong with any of them, and all that only flags can answer
 */
export async function openFiles(
  context: Context,
  words: readonly string[],
  { commandWith, ...flags }: FileFlags & { commandWith: (flags: readonly string[]) => readonly string[] },
): Promise<Source[]> {
  const { directory, output } = context;
  const files = await filesNamed(context, words);
  const flagged = namesIn(flags);
  refuseOtherNames(files, flagged);
  const sources: Source[] = [];
  const open = async (name: string) => {
    const scope = path.basename(name);
    const file = path.resolve(directory, name);
    if (!flagged.includes(scope) && (await isLetter(file).catch(() => false))) {
      output.say(
        `${name}: left out, because it is a letter and has no columns. To read it as rows: --header-line ${scope}=first`,
      );
      return;
    }
    const said = sourceFlags(flags, { said: (texts) => saidOf(texts, name), scope });
    const recordKinds = flags.recordKinds?.some((one) => path.basename(one) === scope) === true;
    sources.push(...(await openSources({ name, path: file }, { ...said, recordKinds })));
  };
  await checkEach(files, open, (more) => answersWith(more, commandWith));
  if (sources.length === 0) throw new Failure('usage', 'None of the files has rows.');
  return sources;
}

/** What the flags of a command say of one file, by what each of them says of it. */
export function sourceFlags(
  flags: FileFlags,
  { said, scope }: { said: (texts: readonly string[] | undefined) => string | undefined; scope: string },
): SourceFlags {
  const fixedWidth = said(flags.fixedWidth);
  const own = (texts: readonly string[] = []) => said(texts.filter((text) => text.startsWith(`${scope}=`)));
  // Where only some files are of fixed width, what is said of all headers is not said of these.
  const isOfItsOwn = own(flags.fixedWidth) !== undefined;
  return {
    encoding: said(flags.encoding),
    separator: said(flags.separator),
    fixedWidth: fixedWidth === undefined ? undefined : widthsNamed(fixedWidth),
    sheet: said(flags.sheet),
    headerLine: isOfItsOwn ? own(flags.headerLine) : said(flags.headerLine),
    headerLineOfOthers: isOfItsOwn ? said(flags.headerLine) : undefined,
    quotes: said(flags.quotes),
    flagOf: (flag) => `--${flag} ${scope}=`,
    showsValues: flags.showValues === true,
  };
}

const OF_A_FILE = /^([^=:]+\.\w+)=/;

/** The files that flags name. */
function namesIn({
  encoding,
  separator,
  fixedWidth,
  sheet,
  headerLine,
  quotes,
  recordKinds = [],
}: FileFlags): string[] {
  const said = [encoding, separator, fixedWidth, sheet, headerLine, quotes].flatMap((texts) => texts ?? []);
  const names = said.flatMap((text) => OF_A_FILE.exec(text)?.[1] ?? []);
  return [...names, ...recordKinds.map((name) => path.basename(name))];
}

function refuseOtherNames(files: readonly string[], flagged: readonly string[]): void {
  const names = files.map((file) => path.basename(file));
  const other = flagged.find((name) => !names.includes(name));
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
