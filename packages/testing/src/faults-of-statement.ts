import type { Database, SqlStatement } from '@causeway/db';
import type pg from 'pg';

/** A described column and its declaration; null if either is missing. */
interface ComparedColumn {
  name: string;
  answered: string | null;
  declared: string | null;
  is_same_type: boolean;
  may_be_null: boolean;
  declared_may_be_null: boolean;
}

// Nullability is known for a table's column, but not for a computed one.
const COMPARE = `
  SELECT name, format_type(type, NULL) AS answered, declared.type_name AS declared,
    to_regtype(declared.type_name) = type AS is_same_type,
    NOT coalesce(stored.attnotnull, true) AS may_be_null,
    coalesce(declared.is_nullable, true) AS declared_may_be_null
  FROM unnest($1::text[], $2::oid[], $3::oid[], $4::int[]) AS answered (name, type, table_id, column_number)
  FULL JOIN unnest($5::text[], $6::text[], $7::boolean[]) AS declared (name, type_name, is_nullable) USING (name)
  LEFT JOIN pg_attribute AS stored ON attrelid = table_id AND attnum = column_number
  ORDER BY name`;

/**
 * Prepares a statement on the database's schema, without running it, and compares its result with its declaration: the
 * columns, their types, and that no nullable table column is declared non-null.
 *
 * @returns a sentence for each difference
 */
export async function faultsOfStatement(
  database: Database,
  { name, text, columns }: SqlStatement<unknown, string>,
): Promise<string[]> {
  let answered: DescribedColumn[];
  try {
    answered = await describeStatement(database, text);
  } catch (error) {
    return [`The statement ${name} cannot be prepared: ${(error as Error).message}.`];
  }
  const declared = Object.entries<string>(columns);
  const { rows } = await database.pool.query<ComparedColumn>(COMPARE, [
    answered.map((column) => column.name),
    answered.map(({ dataTypeID }) => dataTypeID),
    answered.map(({ tableID }) => tableID),
    answered.map(({ columnID }) => columnID),
    declared.map(([column]) => column),
    declared.map(([, type]) => type.replace(' | null', '')),
    declared.map(([, type]) => type.endsWith(' | null')),
  ]);
  const repeated = answered.filter((column, index) =>
    answered.some((one, at) => at < index && one.name === column.name),
  );
  return [
    ...repeated.map((column) => `The statement ${name} answers with two columns named ${column.name}.`),
    ...rows.flatMap((column) => faultOf(column) ?? []).map((fault) => `The statement ${name} ${fault}.`),
  ];
}

function faultOf(column: ComparedColumn): string | undefined {
  const { name, answered, declared } = column;
  if (answered === null) return `declares a column ${name} and does not answer with it`;
  if (declared === null) return `answers with a column ${name} and does not declare it`;
  if (!column.is_same_type) return `answers with ${answered} as ${name} and declares ${declared}`;
  if (column.may_be_null && !column.declared_may_be_null)
    return `may answer with null as ${name} and does not declare it`;
  return undefined;
}

/** A result column of a statement, as PostgreSQL describes it. */
interface DescribedColumn {
  name: string;
  dataTypeID: number;
  /** The number of the table's column; 0 if the result column is computed. */
  tableID: number;
  columnID: number;
}

interface PreparingConnection {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Parses a statement and describes its result without running it. For pg it looks like a query. */
class Description {
  columns: DescribedColumn[] = [];
  readonly #text: string;
  readonly #done = Promise.withResolvers<void>();

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: unknown): void {
    const preparing = connection as PreparingConnection;
    preparing.parse({ name: '', text: this.#text, types: [] });
    preparing.describe({ type: 'S', name: '' });
    preparing.sync();
  }

  handleRowDescription({ fields }: { fields: DescribedColumn[] }): void {
    this.columns = fields;
  }

  handleError(error: Error): void {
    this.#done.reject(error);
  }

  handleReadyForQuery(): void {
    this.#done.resolve();
  }

  get done(): Promise<void> {
    return this.#done.promise;
  }
}

/** The result columns of an SQL statement; none if it returns no rows. Throws PostgreSQL's error. */
async function describeStatement(database: Database, text: string): Promise<DescribedColumn[]> {
  const client: pg.PoolClient = await database.pool.connect();
  try {
    const description = client.query(new Description(text));
    await description.done;
    return description.columns;
  } finally {
    client.release();
  }
}
