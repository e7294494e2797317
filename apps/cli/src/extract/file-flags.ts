import type { Command } from 'commander';

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
    .option(`--quotes <[${of}=]none>`, 'none: cells never stand in quotes, and a quote is part of its cell', collect);
}
