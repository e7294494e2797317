import { maskedWord } from '../extract/find-encoding.ts';
import type { Context } from '../frame/define-command.ts';
import { wrapped } from '../terminal/lines.ts';
import { counted } from '../terminal/numbers.ts';
import type { Loaded, LoadedFile } from './load-input.ts';
import type { ConvertOptions } from './options.ts';
import type { Decision } from './questions.ts';
import { type Folder, linesOfFault, linesOfRemark, type Rejected } from './report.ts';
import type { Remark } from './suspicions.ts';
import type { WrittenBook } from './write-book.ts';

/** What a conversion came to. */
export interface Outcome {
  loaded: Loaded;
  decisions: readonly Decision[];
  written: WrittenBook;
  rejected: Rejected;
  folder: Folder | undefined;
  remarks: readonly Remark[];
  /** Values that functions of the mapping could not read, and that came to no row of the book. */
  unreadable: readonly { function: string; detail: string; values: number }[];
}

/** Says what is remarkable and what is wrong. */
export function sayFaults(
  { output }: Context,
  { rejected, folder, remarks, unreadable }: Pick<Outcome, 'rejected' | 'folder' | 'remarks' | 'unreadable'>,
): void {
  for (const remark of remarks.slice(0, MAX_REMARKS)) {
    for (const line of linesOfRemark(remark, output.columns)) output.say(line);
  }
  if (remarks.length > MAX_REMARKS)
    output.say(`And ${remarks.length - MAX_REMARKS} other kinds of remark: see --json.`);
  for (const { function: name, detail, values } of unreadable) {
    const what = `${counted(values, 'value')} that ${name} could not read came to no row of the book, which may lack rows`;
    for (const line of wrapped(`${what}: ${detail}`, output.columns, '    ')) output.say(line);
  }
  for (const fault of rejected.faults) {
    for (const line of linesOfFault(fault, output.columns)) output.say(line);
  }
  if (rejected.others > 0) output.say(`And ${rejected.others} other kinds of fault: see ${folder?.name}.`);
}

/** What nobody said of a file, and what was left out of it, in a line. */
export function sentenceOfFile(
  { table: { name, source, rows, remarks } }: LoadedFile,
  { decisions, showsValues }: { decisions: readonly Decision[]; showsValues: boolean },
): string {
  const formats = decisions.filter(({ relation }) => relation === name).map(({ format }) => `dates ${format}`);
  const guesses = [...source.guesses, ...new Set(formats)];
  const guessed = guesses.length === 0 ? [] : [`Guessed: ${guesses.join(', ')}`];
  const words = source.changedWords.map((word) => (showsValues ? word : maskedWord(word)));
  const changed = words.length === 0 ? [] : [`As ${source.encodings.join(', ')}: ${words.join(' ')}`];
  return [`${source.name}: ${counted(rows, 'row')}`, ...guessed, ...remarks, ...changed].join('. ');
}

/** The same for programs. */
export function documentOf(
  options: ConvertOptions,
  { loaded, decisions, written, rejected, folder, remarks, unreadable }: Outcome,
): object {
  return {
    output: options.output,
    accounts: written.accounts,
    histories: written.histories,
    unmatched: written.unmatched,
    rows_of_no_account: written.rowsOfNoAccount,
    import_suppliers: Object.fromEntries(written.suppliers),
    currencies: Object.fromEntries(written.currencies),
    files: loaded.files.map(({ kind, table: { name, source, rows, remarks: left } }) => {
      const formats = decisions.filter(({ relation }) => relation === name);
      const [date] = formats;
      return {
        file: source.name,
        ...(kind && { kind }),
        rows,
        encoding: source.encodings.join(','),
        ...(source.form.type === 'csv' && { separator: source.form.separator }),
        ...(date && {
          date_format: date.format,
          date_formats: Object.fromEntries(formats.map((one) => [one.column, one.format])),
        }),
        guesses: source.guesses,
        left_out: left,
      };
    }),
    remarks,
    unreadable,
    rejected: { accounts: rejected.accounts, rows: rejected.rows, faults: rejected.faults, folder: folder?.name },
  };
}

const MAX_REMARKS = 20;
const MAX_SHOWN = 40;

/** The form of a value without what it says: letters become x, digits 9. */
export function masked(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return cut
    .replace(/\s+/g, ' ')
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[^\P{L}X]/gu, 'x')
    .replace(/\p{N}/gu, '9');
}
