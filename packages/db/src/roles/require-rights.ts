import { withConnection } from '../migrations/connect.ts';
import { SERVICE_RIGHTS } from './service-rights.ts';

const REMEDY =
  'Run the command migrate with DATABASE_OWNER_URL set, or deploy/create-roles.sql as the owner of the tables.';

const LACKED = `
  SELECT wanted.table, wanted.privilege || coalesce(' (' || string_agg(wanted.column, ', ') || ')', '') AS right,
    current_user AS role
  FROM unnest($1::text[], $2::text[], $3::text[]) AS wanted ("table", privilege, "column")
  LEFT JOIN pg_attribute ON attrelid = to_regclass(quote_ident(wanted.table)) AND attname = wanted.column
  WHERE NOT CASE WHEN wanted.column IS NULL THEN has_table_privilege(to_regclass(quote_ident(wanted.table)), privilege)
    ELSE has_column_privilege(attrelid, attnum, privilege) END
  GROUP BY wanted.table, wanted.privilege, wanted.column IS NULL
  ORDER BY 1, 2`;

interface WantedRight {
  table: string;
  privilege: string;
  /** Absent: on the whole table. */
  column?: string;
}

/** `UPDATE (a, b)` is a right on each column. */
function wantedRights(): WantedRight[] {
  return Object.entries(SERVICE_RIGHTS).flatMap(([table, rights]) =>
    rights.flatMap((right): WantedRight[] => {
      const [, privilege = right, columns] = /^(\w+) \((.*)\)$/.exec(right) ?? [];
      return columns?.split(', ').map((column) => ({ table, privilege, column })) ?? [{ table, privilege }];
    }),
  );
}

/**
 * Makes sure that the role may do what the service does: otherwise calls would fail one by one, hours later.
 *
 * @throws with the tables, the rights and the remedy, in one sentence
 */
export async function requireRights(url: string): Promise<void> {
  const wanted = wantedRights();
  await withConnection(url, async (client) => {
    const { rows } = await client.query<{ table: string; right: string; role: string }>(LACKED, [
      wanted.map(({ table }) => table),
      wanted.map(({ privilege }) => privilege),
      wanted.map(({ column }) => column ?? null),
    ]);
    if (rows[0] === undefined) return;
    const lacked = [...Map.groupBy(rows, ({ table }) => table)].map(
      ([table, rights]) => `${table} (${rights.map(({ right }) => right).join(', ')})`,
    );
    throw new Error(`The role ${rows[0].role} lacks rights on ${lacked.join('; ')}. ${REMEDY}`);
  });
}
