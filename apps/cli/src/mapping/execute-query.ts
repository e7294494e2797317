import type { DatabaseSync } from 'node:sqlite';
import { Failure } from '../frame/failure.ts';
import { confined, refuseClock } from './confine.ts';
import { inDatabase, MappingRun, type Tell } from './execute.ts';
import { type MappingTask, QUERY_NAME, type Query, type QueryAnswer } from './messages.ts';
import { type Statement, statementsOf } from './statements.ts';
import { type UnreadableValues, unreadableIn } from './unreadable.ts';

const MAX_CELL = 1_000;
/** All cells together: they are in memory until they are shown. */
const MAX_CHARACTERS = 16_777_216;

/**
 * Runs one SELECT over the tables of the sources, and over what a mapping creates. Nothing is kept of it.
 *
 * @throws Failure with a sentence that names the line of the query or of the mapping
 */
export function executeQuery(task: MappingTask, query: Query, tell: Tell): QueryAnswer {
  const statement = onlySelect(query.text);
  return inDatabase(task, (database, unreadable) => {
    const run = new MappingRun(database, task, tell);
    run.runStatements();
    tell({ type: 'step', line: statement.line, what: QUERY_NAME });
    try {
      refuseClock(statement.text);
      return withReasons(answerOf(database, statement.text, query.rows), unreadable);
    } catch (error) {
      throw run.failure(error, { statement, name: QUERY_NAME });
    }
  });
}

function onlySelect(text: string): Statement {
  const [statement, other] = statementsOf(text);
  if (statement !== undefined && other === undefined && /^(?:SELECT|WITH|VALUES)\b/i.test(statement.text))
    return statement;
  throw notSelect();
}

const notSelect = () => new Failure('usage', `${QUERY_NAME} must be one SELECT: it looks at rows, and changes none.`);

function answerOf(database: DatabaseSync, text: string, most: number): QueryAnswer {
  const select = confined(database, () => database.prepare(text));
  const columns = select.columns().map(({ name }) => name);
  if (columns.length === 0) throw notSelect();
  select.setReadBigInts(true);
  select.setReturnArrays(true);
  const answer: QueryAnswer = { columns, rows: [], leftOut: 0 };
  let characters = 0;
  for (const row of select.iterate() as Iterable<unknown> as Iterable<unknown[]>) {
    if (answer.rows.length === most || characters >= MAX_CHARACTERS) {
      answer.leftOut += 1;
      continue;
    }
    const cells = row.map(cellOf);
    characters += cells.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    answer.rows.push(cells);
  }
  return answer;
}

function cellOf(value: unknown): string | null {
  if (value === null) return null;
  const text = value instanceof Uint8Array ? 'BLOB' : String(value);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)}…` : text;
}

/** In place of a value that a function could not read stands which, and why. */
function withReasons(answer: QueryAnswer, unreadable: UnreadableValues): QueryAnswer {
  const idOf = (cell: string | null) => (cell === null ? undefined : unreadableIn(cell));
  const ids = new Set(answer.rows.flat().map(idOf));
  ids.delete(undefined);
  if (ids.size === 0) return answer;
  const reasons = new Map<number, string>();
  for (const { id, function: name, argument, detail } of unreadable.all()) {
    if (ids.has(Number(id))) reasons.set(Number(id), `${name} cannot read “${argument}”. ${detail}`);
  }
  const rows = answer.rows.map((row) => row.map((cell) => reasons.get(idOf(cell) ?? -1) ?? cell));
  return { ...answer, rows };
}
