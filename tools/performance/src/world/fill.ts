import { dayBefore } from '../load/book.ts';
import { TODAY } from './measure-turn.ts';
import { IMPORT_SUPPLIER } from './seed.ts';
import type { Target, World } from './world.ts';

/** Account imports that are made by SQL, with small payloads: `${prefix}${n}` for n in [from, to). */
export interface FillRequest {
  prefix: string;
  from: number;
  to: number;
  /** Every n-th is processed, with an account of its own; the others are only staged. */
  completedEvery: number;
}

const ROWS_A_STATEMENT = 250_000;

// The id as the service derives it: SHA-256 over length-prefixed parts, with the bits of a UUID of version 8. Service
// account numbers are spread over all of 2^32 by an odd factor, as random ones are.
const FILL = `
  WITH number AS MATERIALIZED (
    SELECT n, $1 || n AS external_account_number, nextval('account_imports_staging_order_seq') AS staging_order, sha256(
      int4send(14) || 'account_import'::bytea || int4send(octet_length($2)) || convert_to($2, 'UTF8') ||
      int4send(octet_length($1 || n)) || convert_to($1 || n, 'UTF8')) AS digest
    FROM generate_series($3::int, $4::int - 1) AS n
  ),
  import AS (
    INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, staging_order, payload,
      staged_at, updated_at, attempts, completed_at, service_account_number)
    SELECT encode(set_byte(set_byte(substring(digest FROM 1 FOR 16), 6, get_byte(digest, 6) & 15 | 128),
        8, get_byte(digest, 8) & 63 | 128), 'hex')::uuid,
      $2, external_account_number, (CASE WHEN n % $5 = 0 THEN 'COMPLETED' ELSE 'STAGED' END)::account_import_state,
      staging_order, '{"customers": [{"given_name": "Zoe"}]}', now(), now(),
      CASE WHEN n % $5 = 0 THEN 1 ELSE 0 END, CASE WHEN n % $5 = 0 THEN now() END,
      CASE WHEN n % $5 = 0
        THEN 'A-' || upper(lpad(to_hex((staging_order * 2654435761) & 4294967295), 8, '0')) END
    FROM number
    RETURNING id, service_account_number
  ),
  account AS (
    INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type,
      last_billed_to_date, open_statement_from, details, created_at)
    SELECT import.id, service_account_number, team.id, 'DOMESTIC', $6::date, $6::date + 1, '{}', now()
    FROM import, operations_teams team WHERE service_account_number IS NOT NULL
    RETURNING account_import_id
  )
  SELECT (SELECT count(*)::int FROM account) AS accounts`;

/** Fills and writes it into the target's ledger. The planner's statistics are up to date afterwards. */
export async function fillAccounts({ postgres }: World, target: Target, request: FillRequest): Promise<void> {
  const { prefix, completedEvery } = request;
  if (request.from === request.to) return;
  const lastBilledToDate = dayBefore(TODAY, 60);
  for (let from = request.from; from < request.to; from += ROWS_A_STATEMENT) {
    const to = Math.min(request.to, from + ROWS_A_STATEMENT);
    const values = [prefix, IMPORT_SUPPLIER, from, to, completedEvery, lastBilledToDate];
    const [row] = await postgres.query<{ accounts: number }>(target.database, FILL, values);
    target.ledger.addRows({ account_imports: to - from, accounts: row?.accounts ?? 0 });
  }
  await postgres.query(target.database, 'VACUUM ANALYZE account_imports, accounts');
}
