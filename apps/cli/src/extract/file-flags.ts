import type { Command } from 'commander';
import { quoted } from '../terminal/lines.ts';

/** How files are written, for all of them or, as `FILE=...`, for one. */
export interface FileFlags {
  encoding?: readonly string[];
  separator?: readonly string[];
  fixedWidth?: readonly string[];
  sheet?: readonly string[];
  headerLine?: readonly string[];
  quotes?: readonly string[];
  recordKinds?: readonly string[];
  showValues?: boolean;
}

/** The values of a flag that may be given several times. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** Adds the flags that say how files are written: for all of them, or for each that has the word before its `=`. */
export function addFileFlags(command: Command, { of, heading }: { of: 'file' | 'kind'; heading: string }): Command {
  return command
    .optionsGroup(heading)
    .option(
      `--encoding <[${of}=]name>`,
      'such as windows-1252, cp850 or, line by line, utf-8,windows-1252; otherwise UTF-8 or UTF-16',
      collect,
    )
    .option(`--separator <[${of}=]character>`, 'what separates cells: , ; | or tab; guessed otherwise', collect)
    .option(`--fixed-width <[${of}=]columns>`, 'columns by their characters: ACCOUNT:1-10,NAME:11-40', collect)
    .option(`--sheet <[${of}=]name>`, 'the sheet of a workbook; all of them otherwise', collect)
    .option(
      `--header-line <[${of}=]line>`,
      `the line of the header, below titles, or first; of fixed width the last line above the rows, 0 for none, and with ${of}= if --fixed-width has it; guessed if unmistakable`,
      collect,
    )
    .option(`--quotes <[${of}=]none>`, 'none: cells never stand in quotes, and a quote is part of its cell', collect)
    .option(
      '--record-kinds <file>',
      'a file without a header whose first cell says the kind of each row: each kind becomes a table, of column_1, column_2 and so on',
      collect,
    );
}

/** A flag with each of its values, as a shell takes it. */
export const repeated = (flag: string, values: readonly string[] = []) =>
  values.map((value) => `${flag} ${quoted(value)}`);

/** Flags of one value, those that were given. */
export const valueFlags = (values: Readonly<Record<string, string | undefined>>) =>
  Object.entries(values).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag} ${quoted(value)}`]));

/** What was said of how files are written, for another command. */
export const fileFlagsAgain = (flags: FileFlags) => [
  ...repeated('--encoding', flags.encoding),
  ...repeated('--separator', flags.separator),
  ...repeated('--fixed-width', flags.fixedWidth),
  ...repeated('--sheet', flags.sheet),
  ...repeated('--header-line', flags.headerLine),
  ...repeated('--quotes', flags.quotes),
  ...repeated('--record-kinds', flags.recordKinds),
];

/** A command that can be pasted: a line a part. Each line but the last ends with a backslash. */
export const linesOfCommand = (command: string, parts: readonly string[]) =>
  [command, ...parts].map(
    (part, index, { length }) => `  ${index > 0 ? '  ' : ''}${part}${index < length - 1 ? ' \\' : ''}`,
  );

/** The command with flags that answer its questions, and what to do with it. */
export function answersWith(
  flags: readonly string[],
  commandWith: (flags: readonly string[]) => readonly string[],
): string[] {
  const different = [...new Set(flags)];
  const names = [...new Set(different.map((flag) => flag.split(' ')[0]))].join(' and ');
  return [`  Say which with ${names}, such as:`, ...commandWith(different)];
}
