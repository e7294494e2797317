import pg from 'pg';
import { beginChanges, withConnection } from './connect.ts';
import { LOCK_TIMEOUT, MIGRATION_LOCK, type Tell } from './migrate.ts';

/** A constraint that old rows violate: it applies to every write, but these rows must be corrected by hand. */
export interface BrokenConstraint {
  constraint: string;
  table: string;
  /** The number of rows that violate it. */
  count: number;
  /** The keys of up to 5 of them: numbers and ids, no customer data. */
  keys: string[];
  /** Why the constraint could not be checked, if so. The next start tries again. */
  reason?: string;
}

interface Unvalidated {
  name: string;
  table: string;
  /** True for a row, `broken`, that violates the constraint. */
  condition: string;
  /** The row's key as JSON. */
  key: string;
}

const KEYS_SHOWN = 5;
/** Of a CHECK, of a foreign key. */
const VIOLATIONS = new Set(['23514', '23503']);

// Only the non-text columns of a key are shown, if there are any: text may belong to customers or the supplier.
const UNVALIDATED = `
  SELECT quote_ident(conname) AS name, conrelid::regclass::text AS table,
    CASE contype
      WHEN 'c' THEN format('(%s) IS FALSE', pg_get_expr(conbin, conrelid))
      ELSE (
        SELECT format('%s AND NOT EXISTS (SELECT FROM %s AS parent WHERE %s)',
          string_agg(format('broken.%I IS NOT NULL', child.attname), ' AND '), confrelid::regclass,
          string_agg(format('parent.%I = broken.%I', parent.attname, child.attname), ' AND '))
        FROM unnest(conkey, confkey) AS pair (child, parent)
        JOIN pg_attribute child ON child.attrelid = conrelid AND child.attnum = pair.child
        JOIN pg_attribute parent ON parent.attrelid = confrelid AND parent.attnum = pair.parent
      )
    END AS condition,
    (
      SELECT format('json_build_object(%s)', string_agg(format('%L, %I', attname, attname), ', ' ORDER BY attnum))
      FROM (
        SELECT attname, attnum, rank() OVER (ORDER BY atttypid = 'text'::regtype) FROM pg_index
        JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
        WHERE indrelid = conrelid AND indisprimary
      ) column_of_key WHERE rank = 1
    ) AS key
  FROM pg_constraint
  WHERE contype IN ('c', 'f') AND NOT convalidated AND connamespace = current_schema()::regnamespace
    AND pg_has_role((SELECT relowner FROM pg_class WHERE pg_class.oid = conrelid), 'USAGE')
  ORDER BY conrelid, conname`;

const listUnvalidated = async (client: pg.Client): Promise<Unvalidated[]> =>
  (await client.query<Unvalidated>(UNVALIDATED)).rows;

async function findBroken(client: pg.Client, { name, table, condition, key }: Unvalidated): Promise<BrokenConstraint> {
  const broken = `FROM ${table} AS broken WHERE ${condition}`;
  const { rows } = await client.query<{ count: number; keys: string[] }>(
    `SELECT (SELECT count(*)::integer ${broken}) AS count,
      ARRAY(SELECT ${key}::text ${broken} LIMIT ${KEYS_SHOWN}) AS keys`,
  );
  return { constraint: name, table, count: rows[0]?.count ?? 0, keys: rows[0]?.keys ?? [] };
}

async function validate(client: pg.Client, constraint: Unvalidated): Promise<BrokenConstraint | undefined> {
  const { name, table } = constraint;
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
    await client.query('COMMIT');
    return undefined;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await client.query('ROLLBACK');
    if (VIOLATIONS.has(error.code ?? '')) return findBroken(client, constraint);
    return { constraint: name, table, count: 0, keys: [], reason: error.message };
  }
}

/**
 * Validates the constraints that a migration added NOT VALID, one at a time, while other sessions read and write (it
 * takes SHARE UPDATE EXCLUSIVE on the table). One that old rows violate stays as it is, so that the service can start:
 * it applies to every write, is reported with the rows that violate it, and is tried again at the next start. Instances
 * that start concurrently wait for the first one. A role that does not own the tables changes nothing.
 *
 * @returns the constraints that are still not valid
 */
export async function validateConstraints(url: string, report: Tell = () => undefined): Promise<BrokenConstraint[]> {
  return withConnection(url, async (client) => {
    const unvalidated = await listUnvalidated(client);
    if (unvalidated.length > 0) await beginChanges(url, client);
    const broken: BrokenConstraint[] = [];
    for (const constraint of unvalidated) {
      const found = await validate(client, constraint);
      if (found !== undefined) broken.push(found);
      else report(`Validated constraint ${constraint.name} of ${constraint.table}.`);
    }
    return broken;
  });
}
