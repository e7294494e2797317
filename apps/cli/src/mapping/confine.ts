import { constants, type DatabaseSync } from 'node:sqlite';
import { FUNCTION_NAMES } from './functions.ts';

/** Thrown where a statement does what a mapping may not do, in a sentence that says what to write instead. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

/** SQLite's functions whose result depends on their arguments alone. */
const CORE_FUNCTIONS = `
  -> ->> abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce concat concat_ws cos cosh count
  cume_dist date datetime degrees dense_rank exp first_value floor format glob group_concat hex if ifnull iif instr json
  json_array json_array_insert json_array_length json_error_position json_extract json_group_array json_group_object
  json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set json_type json_valid
  julianday lag last_value lead length like likelihood likely ln log log10 log2 lower ltrim max median min mod nth_value
  ntile nullif octet_length percent_rank percentile percentile_cont percentile_disc pi pow power printf quote radians
  rank replace round row_number rtrim sign sin sinh sqrt strftime string_agg substr substring sum tan tanh time timediff
  total trim trunc typeof unhex unicode unistr unistr_quote unixepoch unlikely upper
`;
const ALLOWED_FUNCTIONS = new Set([...CORE_FUNCTIONS.trim().split(/\s+/), ...FUNCTION_NAMES]);
/** Each run of a mapping has to give the same book. */
const CLOCK =
  /\b(?:(?:date|time|datetime|julianday|unixepoch|strftime|timediff)\s*\(\s*(?:\)|[^()]*'\s*now\s*')|strftime\s*\(\s*'[^']*'\s*\))/i;
/** Tables of SQLite itself, which tell of the machine. */
const OF_SQLITE = /^(?:pragma_|sqlite_dbpage$|dbstat$)/i;

const SCHEMA_TABLES = ['sqlite_master', 'sqlite_temp_master'];
const MAY =
  'A mapping may create temporary views, tables and indexes, insert into its own temporary tables, and select';

/** What SQLite asks about: an action with its two arguments, and the database that it is about. */
interface Question {
  action: number;
  first: string;
  second: string;
  database: string;
}

/** Columns of source tables, by both names. */
export type Reads = Map<string, { table: string; column: string }>;

/**
 * Runs or prepares a statement of a mapping, as far as one may go.
 *
 * @param reads is told the columns that it reads
 * @throws NotAllowed, and every error of SQLite
 */
export function confined<Result>(database: DatabaseSync, run: () => Result, reads?: Reads): Result {
  database.setAuthorizer((action: number, ...[first, second, of]: (string | null)[]): number => {
    const refusal = refusalOf({ action, first: first ?? '', second: second ?? '', database: of ?? '' });
    if (refusal !== undefined) throw new NotAllowed(refusal);
    if (action === constants.SQLITE_READ && of === 'main' && first && second) {
      reads?.set(`${first}\0${second}`, { table: first, column: second });
    }
    return constants.SQLITE_OK;
  });
  try {
    return run();
  } finally {
    database.setAuthorizer(null);
  }
}

/** @throws NotAllowed where a statement asks for the time: SQLite does not say what its functions are asked */
export function refuseClock(text: string): void {
  if (CLOCK.test(text))
    throw new NotAllowed('A mapping cannot ask for the time of today. Write the day that you mean.');
}

function refusalOf(question: Question): string | undefined {
  const { action, first, second, database } = question;
  const isOwn = database === 'temp' || SCHEMA_TABLES.includes(first);
  if (action === constants.SQLITE_READ && OF_SQLITE.test(first)) return `PRAGMA is not allowed. ${MAY}.`;
  switch (action) {
    case constants.SQLITE_SELECT:
    case constants.SQLITE_READ:
    case constants.SQLITE_RECURSIVE:
    case constants.SQLITE_CREATE_TEMP_VIEW:
    case constants.SQLITE_CREATE_TEMP_TABLE:
    case constants.SQLITE_CREATE_TEMP_INDEX:
      return undefined;
    case constants.SQLITE_FUNCTION:
      if (ALLOWED_FUNCTIONS.has(second.toLowerCase())) return undefined;
      return `The function ${second} is not available in a mapping.`;
    case constants.SQLITE_INSERT:
      return isOwn ? undefined : `${first} is the table of a file, which a mapping cannot change.`;
    case constants.SQLITE_REINDEX:
      return isOwn ? undefined : otherRefusal(question);
    // SQLite writes its own schema so; it refuses statements that write there.
    case constants.SQLITE_UPDATE:
      return isOwn && SCHEMA_TABLES.includes(first) ? undefined : otherRefusal(question);
    case constants.SQLITE_CREATE_VIEW:
      return `Write CREATE TEMP VIEW ${first}: a mapping's views are temporary.`;
    case constants.SQLITE_CREATE_TABLE:
      return `Write CREATE TEMP TABLE ${first}: a mapping's tables are temporary.`;
    case constants.SQLITE_CREATE_INDEX:
      return `${second} is the table of a file, and cannot have an index. Copy it with CREATE TEMP TABLE, and write CREATE INDEX temp.${first}.`;
    default:
      return otherRefusal(question);
  }
}

const ACTION_NAMES = new Map(
  Object.entries(constants).map(([name, action]) => [action, name.replace('SQLITE_', '').replaceAll('_', ' ')]),
);

function otherRefusal({ action }: Question): string {
  // VACUUM attaches the database that it writes.
  const isAttach = action === constants.SQLITE_ATTACH;
  const what = isAttach ? 'ATTACH and VACUUM are' : `${ACTION_NAMES.get(action) ?? 'This statement'} is`;
  return `${what} not allowed. ${MAY}.`;
}
