import pg from 'pg';
import { randomAccountNumber } from '../../shared/values.ts';
import { BOOK_SIZE } from '../load/book.ts';
import { freshPrefix } from './measure-turn.ts';
import { IMPORT_SUPPLIER } from './seed.ts';

export const ACCOUNTS_A_STATEMENT = 100;
const WRITERS = 2;

/** The tables of an account, parents first. */
const TABLES = [
  ...['account_imports', 'accounts', 'customers', 'supply_addresses', 'meter_points', 'payment_schedules'],
  ...['notes', 'transactions', 'statements', 'audit_events'],
];
/** The columns that name it, if that is another one than `account_import_id`. */
const KEYS: Record<string, string> = { account_imports: 'id', audit_events: 'subject_id' };

interface Column {
  name: string;
  type: string;
}

interface Table {
  name: string;
  columns: Column[];
}

/** The names of an account in its rows. */
interface Names {
  id: string;
  number: string;
  serviceNumber: string;
}

/** An account that exists: its rows by table, each value as an element of an array. */
interface Copied {
  names: Names;
  rows: string[][][];
}

/** Without the numbers that the database draws. */
const COLUMNS = `
  SELECT attname AS name, format_type(atttypid, atttypmod) AS type
  FROM pg_attribute
  LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'completion_order'
    AND coalesce(pg_get_expr(adbin, adrelid) NOT LIKE 'nextval%', true)
  ORDER BY attnum`;

const NAMES = `
  SELECT account_import_id($1, number) AS id, number, coalesce(service_account_number, '') AS "serviceNumber"
  FROM unnest($2::text[]) WITH ORDINALITY AS sent (number, place)
  LEFT JOIN account_imports ON id = account_import_id($1, number)
  ORDER BY place`;

/**
 * PostgreSQL alone: the rows of accounts that exist, written again for as many others by one statement for a batch. The
 * accounts `${prefix}${n}` for n below `BOOK_SIZE` are written again, in turn. Accounts a second.
 */
export async function insertAccounts(databaseUrl: string, prefix: string, accounts: number): Promise<number> {
  const connect = () => new pg.Client({ connectionString: databaseUrl });
  const clients = [connect(), ...Array.from({ length: WRITERS - 1 }, connect)] as const;
  await Promise.all(clients.map((client) => client.connect()));
  const [first] = clients;
  try {
    const tables = await tablesOf(first);
    const text = statementOf(tables);
    const batches = await batchesOf(first, tables, { prefix, accounts });
    const startedAt = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        for (let values = batches.pop(); values !== undefined; values = batches.pop()) {
          await client.query({ name: 'insert-accounts', text, values });
        }
      }),
    );
    return (accounts * 1_000) / (performance.now() - startedAt);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  const tables: Table[] = [];
  for (const name of TABLES) {
    tables.push({ name, columns: (await client.query<Column>(COLUMNS, [name])).rows });
  }
  return tables;
}

/** One statement for the rows of all tables; foreign keys are checked at its end. */
function statementOf(tables: readonly Table[]): string {
  let parameters = 0;
  const inserts = tables.map(({ name, columns }) => {
    // Arrays of arrays cannot be unnested: such values come as text.
    const sent = columns.map(({ type }) => `$${++parameters}::${type.endsWith('[]') ? 'text' : type}[]`);
    const values = columns.map((column) =>
      column.type.endsWith('[]') ? `${column.name}::${column.type}` : column.name,
    );
    const names = columns.map((column) => column.name).join(', ');
    const records = `unnest(${sent.join(', ')}) AS record (${names})`;
    return `${name}_rows AS (INSERT INTO ${name} (${names}) SELECT ${values.join(', ')} FROM ${records})`;
  });
  return `WITH ${inserts.join(',\n')} SELECT`;
}

/** The values of each statement, made before anything is measured: the client's work must not count as PostgreSQL's. */
async function batchesOf(
  client: pg.Client,
  tables: readonly Table[],
  { prefix, accounts }: { prefix: string; accounts: number },
): Promise<string[][]> {
  const copied: Copied[] = [];
  for (const names of await namesOf(client, prefix, BOOK_SIZE)) {
    copied.push({ names, rows: await rowsOf(client, tables, names.id) });
  }
  const added = (await namesOf(client, freshPrefix(), accounts)).map(({ id, number }, index) => ({
    like: copied[index % copied.length] as Copied,
    names: { id, number, serviceNumber: randomAccountNumber() },
  }));
  const batches: string[][] = [];
  for (let first = 0; first < added.length; first += ACCOUNTS_A_STATEMENT) {
    const batch = added.slice(first, first + ACCOUNTS_A_STATEMENT);
    batch.sort((one, other) => (one.names.id < other.names.id ? -1 : 1));
    const written = batch.map(({ like, names }) => renamed(like, names));
    batches.push(tables.flatMap(({ columns }, table) => columns.map((_, column) => arrayOf(written, table, column))));
  }
  return batches.reverse();
}

function arrayOf(written: readonly string[][][][], table: number, column: number): string {
  return `{${written.flatMap((rows) => (rows[table] ?? []).map((row) => row[column])).join(',')}}`;
}

async function namesOf(client: pg.Client, prefix: string, count: number): Promise<Names[]> {
  const numbers = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  return (await client.query<Names>(NAMES, [IMPORT_SUPPLIER, numbers])).rows;
}

async function rowsOf(client: pg.Client, tables: readonly Table[], id: string): Promise<string[][][]> {
  const rows: string[][][] = [];
  for (const { name, columns } of tables) {
    const texts = columns.map((column) => `${column.name}::text`).join(', ');
    const text = `SELECT ${texts} FROM ${name} WHERE ${KEYS[name] ?? 'account_import_id'} = $1`;
    const found = await client.query<(string | null)[]>({ text, values: [id], rowMode: 'array' });
    rows.push(found.rows.map((row) => row.map(elementOf)));
  }
  return rows;
}

function renamed({ names: before, rows }: Copied, names: Names): string[][][] {
  const rename = (value: string) =>
    value
      .replaceAll(before.id, names.id)
      .replaceAll(before.number, names.number)
      .replaceAll(before.serviceNumber, names.serviceNumber);
  return rows.map((ofTable) => ofTable.map((row) => row.map(rename)));
}

/** A value as an element of an array's text in PostgreSQL. */
function elementOf(text: string | null): string {
  if (text === null) return 'NULL';
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
