import { type Queryable, sql } from '@causeway/db';

/** A line of a bulk job that was accepted. */
export interface AcceptedLine {
  id: string;
  /**
   * Of one whose account exists exactly as it is in the line, and of one without an account: what the line brings. It says
   * nothing of a refused line that was to bring more. Undefined of one whose account was stored now: it takes the place of
   * those before it.
   */
  brings?: object | undefined;
}

/** Resolves the open refusals of the lines of these accounts, which a later line of the account has replaced. */
export async function settleLines(queryable: Queryable, accepted: readonly AcceptedLine[], now: Date): Promise<void> {
  if (accepted.length > 0) await queryable.query(SETTLE_LINES, { lines: JSON.stringify(accepted), now });
}

const SETTLE_LINES = sql('settle-lines')`
  WITH accepted AS MATERIALIZED (
    SELECT id, brings
    FROM json_to_recordset(${'lines'}::json) AS accepted (id uuid, brings jsonb)
  ),
  found AS MATERIALIZED (
    SELECT id, (
      SELECT coalesce(jsonb_object_agg(kind, brought), '{}')
      FROM jsonb_each(detail) AS refused (kind, brought)
      WHERE CASE
        WHEN brings IS NULL THEN false
        WHEN jsonb_typeof(brought) = 'number' THEN coalesce((brings->>kind)::integer, 0) < brought::integer
        ELSE NOT brings ? kind
      END
    ) AS left_over
    FROM accepted
    JOIN account_import_refusals ON account_import_id = id AND operation = 'line' AND reported = ''
    WHERE resolved_at IS NULL
    ORDER BY account_import_id
    FOR NO KEY UPDATE OF account_import_refusals
  )
  UPDATE account_import_refusals
  SET detail = left_over, resolved_at = CASE WHEN left_over = '{}' THEN ${'now'}::timestamptz END
  FROM found
  WHERE account_import_id = id AND operation = 'line' AND reported = ''`;
