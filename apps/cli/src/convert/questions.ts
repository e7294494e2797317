import type { DatabaseSync } from 'node:sqlite';
import { answersWith } from '../extract/file-flags.ts';
import { quotedName } from '../extract/sql-names.ts';
import { Failure } from '../frame/failure.ts';
import type { Column } from './columns.ts';
import { commandLines } from './command-line.ts';
import { judgeDays, type PlacedDay } from './judge-days.ts';
import type { Kind } from './kinds.ts';
import { type ConvertOptions, creditFor, isSaid, valueFor, valuesFor } from './options.ts';
import type { CellStyle } from './read-cell.ts';
import { dayReader } from './read-date.ts';
import { datetimeReader } from './read-datetime.ts';
import { needsComma } from './read-decimal.ts';
import { type Relation, trimmed, type UnreadRelation } from './relations.ts';

/** What only the owner of a file knows, and a flag that would say it. */
interface Question {
  sentence: string;
  flag: string;
}

/** What was decided for a column by its values, in words. */
export interface Decision {
  relation: string;
  column: string;
  format: string;
  /** The flag that says the same. */
  flag: string;
}

/**
 * Decides how each column writes its values: by the flags, or where all of its values can be read in one way alone. Dates
 * are judged by column: one 31/03/2026 says how the others are meant.
 *
 * @throws Failure with all that is open, in all files, and one command that answers it (behaviour 25.2.5)
 */
export function decideStyles(
  database: DatabaseSync,
  unread: readonly UnreadRelation[],
  options: ConvertOptions,
): { relations: Relation[]; decisions: Decision[] } {
  const questions: Question[] = [];
  const decisions: Decision[] = [];
  const relations = unread.map((relation): Relation => {
    const asked = new Asked(database, relation, options);
    const styles = relation.columns.list.map((column) => asked.styleOf(column));
    questions.push(...asked.questions);
    decisions.push(...asked.decisions);
    return { ...relation, styles };
  });
  if (questions.length > 0) throw failureOf(questions, options);
  return { relations, decisions };
}

function failureOf(questions: readonly Question[], options: ConvertOptions): Failure {
  const [sentence = '', ...others] = questions.map((question) => question.sentence);
  const answers = answersWith(
    questions.map(({ flag }) => flag),
    (flags) => commandLines(options, { flags }),
  );
  return new Failure('usage', sentence, { lines: [...others, ...answers] });
}

/** In the order of the standard: read in one way alone. */
const ISO_DAY = '[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*';
/** From the hour on. */
const TIME = /[T ]\d{1,2}:.*$/;

/** The questions about one relation. */
class Asked {
  readonly questions: Question[] = [];
  readonly decisions: Decision[] = [];
  readonly #database: DatabaseSync;
  readonly #relation: UnreadRelation;
  readonly #options: ConvertOptions;

  constructor(database: DatabaseSync, relation: UnreadRelation, options: ConvertOptions) {
    this.#database = database;
    this.#relation = relation;
    this.#options = options;
  }

  styleOf(column: Column): CellStyle {
    const { kind } = this.#relation;
    const options = this.#options;
    const decimals = {
      hasComma: isSaid(options.decimalComma, kind.name),
      credit: creditFor(options, kind.name),
      kind: kind.name,
    };
    if (column.kind === 'decimal' && !decimals.hasComma) this.#askForComma(column);
    const isDatetime = column.kind === 'datetime' || column.kind === 'day-or-datetime';
    const isDate = column.kind === 'date' || isDatetime;
    const timeZone = valueFor(options.timeZone, kind.name, nameOf(column));
    const emptyTexts = valuesFor(options.emptyText, kind.name, nameOf(column));
    const cutsFractions = isSaid(options.cutFractions, kind.name);
    try {
      const day = dayReader(isDate ? this.#formatOf(column) : undefined);
      if (isDatetime && timeZone === undefined) this.#askForZone(column, kind);
      if (isDatetime && !cutsFractions) this.#askForFractions(column, kind);
      return {
        decimals,
        day,
        datetime: datetimeReader({ day, timeZone, cutsFractions }),
        emptyTexts,
        knownValues: new Map(),
      };
    } catch (error) {
      throw error instanceof RangeError ? new Failure('usage', error.message) : error;
    }
  }

  /** By the flag, or the one format in which every day of the column can be read. */
  #formatOf(column: Column): string | undefined {
    const { kind, table } = this.#relation;
    const given = valueFor(this.#options.dateFormat, kind.name, nameOf(column));
    if (given !== undefined) return given;
    const { format, open } = judgeDays(this.#days(column));
    if (open !== undefined) this.#ask(column, open.at, { what: open.what, flag: `--date-format %=${format}` });
    else if (format !== undefined)
      this.decisions.push({
        ...{ relation: table, column: column.header, format },
        flag: `--date-format ${kind.name}.${nameOf(column)}=${format}`,
      });
    return format;
  }

  /** One 18,50 says that 19.721 beside it is nearly twenty thousand. */
  #askForComma(column: Column): void {
    const text = this.#text(column);
    const rows = this.#database.prepare(
      `SELECT ${text} AS text, _line AS line FROM ${this.#from} WHERE ${text} GLOB '*,*'`,
    );
    for (const found of rows.iterate() as Iterable<unknown> as Iterable<PlacedDay>) {
      if (!needsComma(found.text)) continue;
      this.#ask(column, found, { what: 'the decimals stand behind a comma', flag: '--decimal-comma %' });
      return;
    }
  }

  #askForZone(column: Column, kind: Kind): void {
    const text = this.#text(column);
    const hasZone = `${text} GLOB '*Z' OR ${text} GLOB '*[+-][0-9][0-9]:[0-9][0-9]' OR ${text} GLOB '*[+-][0-9][0-9][0-9][0-9]'`;
    const isMidnight = column.kind === 'day-or-datetime' ? `AND ${text} NOT GLOB '*[T ]00:00*'` : '';
    const found = this.#first(column, `${text} GLOB '*[0-9]:[0-9][0-9]*' AND NOT (${hasZone}) ${isMidnight}`);
    if (found !== undefined)
      this.#ask(column, found, { what: 'the value has no time zone', flag: `--time-zone ${kind.name}=Europe/London` });
  }

  #askForFractions(column: Column, kind: Kind): void {
    const text = this.#text(column);
    const found = this.#first(column, `${text} GLOB '*:[0-9][0-9]:[0-9][0-9].*[1-9]*' `);
    if (found === undefined) return;
    this.#ask(column, found, {
      what: 'the value has a fraction of a second, which cannot be kept',
      flag: `--cut-fractions ${kind.name}`,
    });
  }

  /** `%` in the flag stands for the kind or, where its columns differ, for the column. */
  #ask(column: Column, { line }: PlacedDay, { what, flag }: { what: string; flag: string }): void {
    const { kind, file } = this.#relation;
    const sentence = `${file}${line === null ? '' : ` line ${line}`}, column ${column.header}: ${what}.`;
    const said = flag.replace('%', kind.name);
    const rival = this.questions.find(
      (other) => other.flag !== said && other.flag.split('=')[0] === said.split('=')[0],
    );
    this.questions.push({
      sentence,
      flag: rival === undefined ? said : flag.replace('%', `${kind.name}.${nameOf(column)}`),
    });
  }

  /** The days of a column that may be read in several ways, each with the first line of it. */
  *#days(column: Column): Generator<PlacedDay> {
    const text = this.#text(column);
    const known = new Set<string>();
    const rows = this.#database
      .prepare(`SELECT ${text} AS text, _line AS line FROM ${this.#from} WHERE ${text} NOT GLOB '${ISO_DAY}'`)
      .iterate();
    for (const { text: written, line } of rows as Iterable<unknown> as Iterable<PlacedDay>) {
      const day = written.includes(':') ? written.replace(TIME, '') : written;
      if (day === '' || known.has(day)) continue;
      known.add(day);
      yield { text: day, line };
    }
  }

  #first(column: Column, where: string): PlacedDay | undefined {
    const sql = `SELECT ${this.#text(column)} AS text, _line AS line FROM ${this.#from} WHERE ${where} LIMIT 1`;
    return this.#database.prepare(sql).get() as PlacedDay | undefined;
  }

  get #from(): string {
    return quotedName(this.#relation.table);
  }

  #text = ({ header }: Column) => trimmed(quotedName(header));
}

const nameOf = ({ path, header }: Column) => path?.join('.') ?? header;
