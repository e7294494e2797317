import type { Database, SqlStatement } from '@causeway/db';
import { type DescribedColumn, describeStatement } from './describe-statement.ts';

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
