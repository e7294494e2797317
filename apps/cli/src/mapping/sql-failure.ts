import { closestNames } from '../convert/closest-names.ts';
import { Failure } from '../frame/failure.ts';
import { NotAllowed } from './confine.ts';
import { FUNCTION_NAMES, MappingFault } from './functions.ts';
import { lineOf, type Statement } from './statements.ts';

/** Where a statement failed, and what could have been meant. */
export interface SqlContext {
  /** Of the mapping's file. */
  name: string;
  statement: Statement;
  /** The tables of the files, with their columns. */
  tables: ReadonlyMap<string, readonly string[]>;
  /** SQLite's message for the statement cut behind one of its lines. */
  messageOf: (text: string) => string | undefined;
  /** The columns that some rows fill with JSON, and where they do not. */
  notJson: () => readonly string[];
  diskMb: number;
}

/** SQLite's code for a database that has reached its limit, or whose disk is full. */
const FULL = 13;
const TOO_BIG = 18;

/** The sentence of an error of a statement, with the line of the mapping; other errors are thrown as they are. */
export function sqlFailure(error: unknown, context: SqlContext): Failure {
  if (!(error instanceof Error)) throw error;
  const { sentence, line = context.statement.line, lines = [] } = explain(error, context);
  return new Failure('usage', `${context.name} line ${line}: ${sentence}`, { lines, cause: error });
}

interface Explanation {
  sentence: string;
  line?: number;
  lines?: readonly string[];
}

const codeOf = (error: Error) => ('errcode' in error ? error.errcode : undefined);

function explain(error: Error, context: SqlContext): Explanation {
  const { message } = error;
  if (error instanceof NotAllowed) return { sentence: message };
  if (error instanceof MappingFault) {
    const [word = message] = /(?<=")[^"]+(?=")/.exec(message) ?? [];
    return { sentence: message, line: lineOf(context.statement, word) };
  }
  const code = codeOf(error);
  if (code === undefined) throw error;
  if (code === FULL) {
    return { sentence: `It needs more than ${context.diskMb} MB of disk, or the disk is full. ${ENDLESS}` };
  }
  if (code === TOO_BIG) return { sentence: 'One of its values is longer than 64 MB.' };
  return explainMessage(message, context);
}

export const ENDLESS = 'Check that each join names its keys, and that each recursive query ends.';

function explainMessage(message: string, context: SqlContext): Explanation {
  const { statement } = context;
  if (/syntax error$|^incomplete input$|^unrecognized token/.test(message)) {
    const isIncomplete = message === 'incomplete input';
    return isIncomplete
      ? { sentence: 'The statement that begins here is not complete.' }
      : { sentence: `${upperFirst(message)}.`, line: syntaxLine(message, context) };
  }
  if (message === 'malformed JSON') {
    return {
      sentence: 'A value that is read as JSON is none.',
      lines: context.notJson().map((line) => `  ${line}`),
    };
  }
  const [, what = '', name = ''] =
    /^no such (table|column|function): "?(.+?)"?(?: - should this .*)?$/.exec(message) ?? [];
  const word = name.replace(/^(?:.*\.)?(?=[^.]+$)/, '');
  if (what === 'table') return { ...unknownTable(word, context), line: lineOf(statement, word) };
  if (what === 'column') return { ...unknownColumn(name, context), line: lineOf(statement, word) };
  if (what === 'function') {
    return {
      sentence: `There is no function ${name}.${meant(closestNames(name, FUNCTION_NAMES))}`,
      line: lineOf(statement, name),
    };
  }
  const [, view] = /^view (.+) is circularly defined$/.exec(message) ?? [];
  if (view === undefined) return { sentence: `${upperFirst(message)}.` };
  return {
    sentence: context.tables.has(view.toLowerCase())
      ? `The view ${view} reads from itself. To read the table of the file, write main."${view}".`
      : `The view ${view} reads from itself.`,
  };
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
const meant = (names: readonly string[]) => (names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`);

function unknownTable(name: string, { tables }: SqlContext): Explanation {
  const all = [...tables.keys()];
  return {
    sentence: `There is no table ${name}.${meant(closestNames(name, all))}`,
    lines: [`  The tables are: ${all.join(', ')}`],
  };
}

function unknownColumn(name: string, { tables, statement }: SqlContext): Explanation {
  const column = name.replace(/^.*\.(?=[^.]+$)/, '');
  const text = statement.text.toLowerCase();
  const near = [...tables]
    .filter(([table]) => text.includes(table))
    .flatMap(([table, columns]) => closestNames(column, columns).map((one) => `${table}."${one}"`));
  return { sentence: `There is no column ${name}.${meant(near)}` };
}

/** The first line up to which the statement has the error: SQLite does not say where it is. */
function syntaxLine(message: string, { statement, messageOf }: SqlContext): number {
  const lines = statement.text.split('\n');
  const index = lines.findIndex((_line, at) => messageOf(lines.slice(0, at + 1).join('\n')) === message);
  return statement.line + Math.max(index, 0);
}
