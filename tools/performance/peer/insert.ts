import type { Fields, Query } from '../shared/database.ts';

/** An INSERT of all rows of one table into one account, by arrays; `types` has the names of its columns by their type. */
export function insertInto(table: string, types: Record<string, string>, ending = '') {
  const columns = Object.entries(types).flatMap(([type, names]) => names.split(' ').map((name) => ({ name, type })));
  const sql = `INSERT INTO ${table} (account_import_id, ${columns.map(({ name }) => name).join(', ')})
    SELECT $1, * FROM unnest(${columns.map(({ type }, index) => `$${index + 2}::${type}[]`).join(', ')}) ${ending}`;
  const toParameter = (type: string, value: unknown) =>
    type === 'jsonb' && value !== undefined ? JSON.stringify(value) : (value ?? null);
  return async <Row extends Fields>(query: Query, id: string, rows: readonly Fields[]): Promise<Row[]> => {
    if (rows.length === 0) return [];
    const values = columns.map(({ name, type }) => rows.map((row) => toParameter(type, row[name])));
    return query<Row>(table, sql, [id, ...values]);
  };
}
