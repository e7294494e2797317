import { DatabaseSync } from 'node:sqlite';
import { misspelt } from '../convert/closest-names.ts';
import { quotedName } from '../extract/sql-names.ts';
import { Failure } from '../frame/failure.ts';
import { confined, type Reads, refuseClock } from './confine.ts';
import { addFunctions } from './functions.ts';
import {
  keepUnreadable,
  notJsonIn,
  prepareDatabase,
  realsOf,
  selectAll,
  tablesOf,
  temporaryNames,
} from './mapping-database.ts';
import type { MappingMessage, MappingTask } from './messages.ts';
import { MANIFEST, type MappingResult, RELATION_NAMES, type Relation } from './relations.ts';
import { sqlFailure } from './sql-failure.ts';
import { type Statement, statementsOf } from './statements.ts';
import { openUnreadableValues, type UnreadableValues } from './unreadable.ts';

const ACCOUNT_NUMBER = 'external_account_number';

export type Tell = (message: MappingMessage) => void;

/**
 * Runs a mapping in the database of the sources, and makes its relations into tables. Afterwards the database holds
 * everything or, after a Failure, something: it is then of no use.
 *
 * @throws Failure with a sentence that names the line of the mapping
 */
export function executeMapping(task: MappingTask, tell: Tell): MappingResult {
  return inDatabase(task, (database, unreadable) => {
    const run = new MappingRun(database, task, tell);
    run.runStatements();
    const relations = run.relations();
    return { relations, reads: run.reads(), unreadable: keepUnreadable(database, unreadable) };
  });
}

/** Opens the database of the sources with the functions and limits of mappings. */
export function inDatabase<Value>(
  { databaseFile, limits }: MappingTask,
  use: (database: DatabaseSync, unreadable: UnreadableValues) => Value,
): Value {
  const database = new DatabaseSync(databaseFile);
  const unreadable = openUnreadableValues();
  try {
    prepareDatabase(database, limits);
    addFunctions(database, unreadable.remember);
    return use(database, unreadable);
  } finally {
    database.close();
  }
}

/** One run of a mapping. */
export class MappingRun {
  readonly #database: DatabaseSync;
  readonly #of: MappingTask;
  readonly #tell: Tell;
  readonly #reads: Reads = new Map();
  readonly #tables: ReadonlyMap<string, readonly string[]>;
  /** The statement that created each temporary view and table. */
  readonly #created = new Map<string, Statement>();

  constructor(database: DatabaseSync, of: MappingTask, tell: Tell) {
    this.#database = database;
    this.#of = of;
    this.#tell = tell;
    this.#tables = tablesOf(database);
  }

  /** Runs the mapping's statements. Views are only checked: nothing is read from them yet. */
  runStatements(): void {
    for (const statement of statementsOf(this.#of.mapping.text)) {
      this.#step(statement, statement.text.split(/\s+/, 4).join(' '));
      try {
        refuseClock(statement.text);
        confined(this.#database, () => this.#database.exec(statement.text), this.#reads);
      } catch (error) {
        throw this.#failure(error, statement);
      }
      for (const name of temporaryNames(this.#database)) {
        if (!this.#created.has(name)) this.#created.set(name, statement);
      }
    }
    // SQLite looks a view's names up when it is used.
    for (const [name, statement] of this.#created) this.#using(statement, () => this.#select(name));
  }

  /** Makes each relation into a table. */
  relations(): Relation[] {
    for (const [name, statement] of this.#created) this.#refuseOtherName(name, statement);
    const names = RELATION_NAMES.filter((name) => this.#created.has(name));
    if (names.every((name) => name === MANIFEST)) {
      throw new Failure('usage', `${this.#of.mapping.name} creates no view that becomes part of a book.`, {
        lines: [`  Write CREATE TEMP VIEW with one or more of these names: ${RELATION_NAMES.join(', ')}`],
      });
    }
    return names.map((name) => this.#relation(name, this.#created.get(name)));
  }

  /** A view that was meant for a kind would be lost without a word. */
  #refuseOtherName(name: string, { line, text }: Statement): void {
    if (RELATION_NAMES.includes(name)) return;
    const { mapping, viewsByField } = this.#of;
    const fields = /^CREATE\s+TEMP(?:ORARY)?\s+VIEW/i.test(text) ? viewsByField[name.toLowerCase()] : undefined;
    const meant = fields?.join(' or ') ?? misspelt(name, RELATION_NAMES);
    if (meant === undefined) return;
    const ownName = fields === undefined ? `a name that is less like ${meant}` : 'another name';
    throw new Failure('usage', `${mapping.name} line ${line}: no kind is called ${name}; did you mean ${meant}?`, {
      lines: [`  If it is a view of your own, give it ${ownName}.`],
    });
  }

  /** The columns of source tables that were read. */
  reads(): { table: string; column: string }[] {
    return [...this.#reads.values()].filter(({ table }) => this.#tables.has(table.toLowerCase()));
  }

  #relation(name: string, statement: Statement = { text: '', line: 1 }): Relation {
    this.#step(statement, name);
    const columns = this.#using(statement, () => this.#select(name, this.#reads))
      .columns()
      .map((column) => column.name);
    const [first, second] = columns;
    const isWhole = first?.toLowerCase() === 'json' && second === undefined;
    if (name !== MANIFEST && !isWhole && !columns.includes(ACCOUNT_NUMBER)) {
      const place = `${this.#of.mapping.name} line ${statement.line}`;
      throw new Failure('usage', `${place}: ${name} has no column ${ACCOUNT_NUMBER}.`, {
        lines: [`  Add the column of your files that names the account: SELECT … AS ${ACCOUNT_NUMBER}`],
      });
    }
    const table = `kind ${name}`;
    // Columns without a type keep each value as it is; those of CREATE TABLE AS may turn text into numbers.
    this.#database.exec(`CREATE TABLE ${quotedName(table)} (${columns.map(quotedName).join(', ')})`);
    this.#using(statement, () => this.#database.exec(`INSERT INTO ${quotedName(table)} ${selectAll(name)}`));
    return { name, table, columns, reals: realsOf(this.#database, table, columns) };
  }

  /** Prepares what reads a view, as far as a mapping may. */
  #select(name: string, reads?: Reads) {
    return confined(this.#database, () => this.#database.prepare(selectAll(name)), reads);
  }

  /** An error is told of the view that it comes from: the one used, or the one whose text has the wrong word. */
  #using<Result>(statement: Statement, use: () => Result): Result {
    try {
      return use();
    } catch (error) {
      const word = wrongWord(error);
      const from = [statement, ...this.#created.values()].find(({ text }) => word !== '' && text.includes(word));
      throw this.#failure(error, from ?? statement);
    }
  }

  #failure = (error: unknown, statement: Statement) => this.failure(error, { statement, name: this.#of.mapping.name });

  /** The sentence of an error of a statement in the file of this name. */
  failure(error: unknown, { statement, name }: { statement: Statement; name: string }): Failure {
    if (error instanceof Failure) return error;
    const { limits, mapping } = this.#of;
    const notJson = () => notJsonIn(this.#database, this.#tables, `${mapping.text}\n${statement.text}`);
    const messageOf = (text: string) => {
      try {
        confined(this.#database, () => this.#database.prepare(text));
        return undefined;
      } catch (other) {
        return other instanceof Error ? other.message : undefined;
      }
    };
    const context = { name, statement, tables: this.#tables, messageOf, notJson, diskMb: limits.diskMb };
    return sqlFailure(error, context);
  }

  #step({ line }: Statement, what: string): void {
    this.#tell({ type: 'step', line, what });
  }
}

/** What a message quotes, or its last word. */
function wrongWord(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /"([^"]+)"/.exec(message)?.[1] ?? /[^\s.:]+$/.exec(message)?.[0] ?? '';
}
