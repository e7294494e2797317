import { readBookLine } from '@causeway/book';
import { fragment, narrow, type RowOf, sql } from '@causeway/db';
import { decideHistory } from '../../creation/prepare-bundle.ts';
import { HISTORY } from '../../shared/conditions.sql.ts';
import { dayIn } from '../../shared/dates.ts';
import { accountKey, derivedId } from '../../shared/derived-id.ts';
import { DomainError } from '../../shared/errors.ts';
import type { RefusedField } from '../../shared/refused-fields.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { ChunkLine } from './chunk-line.ts';
import { refusalOfLine } from './in-step.ts';
import { settingsOf } from './read-body.ts';

/** The part of a cohort's chunk that is done in one transaction. */
export interface CohortPart {
  ids: readonly string[];
  /** The number of the first of them. */
  number: number;
}

/** The accounts of a cohort as they are staged now, with their histories as the rules decide them. */
export async function readCohort(writing: Writing, { ids, number: first }: CohortPart): Promise<ChunkLine[]> {
  const { context, work, dependencies } = writing;
  const rows = await context.database.query(STAGED_ACCOUNTS, {
    ids,
    is_rehearsal: work.run_mode === 'REHEARSAL',
    time_zone: context.timeZone,
    today: dayIn(context.timeZone, context.clock()),
    started_at: dependencies.startedAt,
    import_supplier_id: derivedId('import_supplier', work.import_supplier_code),
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  const lines = ids.map((id, index) => {
    const row = found.get(id);
    if (row === undefined) throw new Error(`The account import ${id} of a cohort is gone`);
    return cohortLine(writing, first + index, row);
  });
  return Promise.all(lines);
}

async function cohortLine(writing: Writing, number: number, row: RowOf<typeof STAGED_ACCOUNTS>): Promise<ChunkLine> {
  const { external_account_number, times_staged, history, transfer_balance, account_type } = row;
  const key = accountKey(writing.work.import_supplier_code, external_account_number);
  const { customers, supply_points } = row;
  const figures = { transfer_balance, account_type, customers: customers ?? 0, supply_points: supply_points ?? 0 };
  const context = contextOf(writing, { number });
  try {
    const decided = await decideHistory(context, { times_staged, text: history ?? '{}' });
    return { kind: 'staged', number, key, decided, figures, warnings: warningsOf(writing, row) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { kind: 'refused', number, key, refusal: refusalOfLine(error) };
  }
}

/** What a rehearsal says of an account that today's rules would refuse: it was staged by those of another day. */
function warningsOf(writing: Writing, { payload }: RowOf<typeof STAGED_ACCOUNTS>): RefusedField[] | undefined {
  if (payload === null) return undefined;
  const settings = settingsOf(writing);
  // Amounts are staged in the major unit.
  const importSupplier = { ...settings.importSupplier, statement_amount_unit: 'MAJOR' as const };
  const read = readBookLine(Buffer.from(`{"account":${payload}}`), { ...settings, importSupplier });
  if ('line' in read) return undefined;
  const { code, errors } = read.refusal;
  return errors.length === 0 ? [{ code, attr: '' }] : errors;
}

/** How many meter points the addresses of a payload have. */
const SUPPLY_POINTS = fragment`(
      SELECT coalesce(sum(jsonb_array_length(address->'meter_points')), 0)::integer
      FROM jsonb_array_elements(payload->'supply_addresses') AS address
      WHERE address ? 'meter_points'
    )`;

/**
 * Whether the rules may have changed since an account was staged: on another day, before this version, or with other
 * settings of its import supplier. An attempt that failed has hidden when it was staged.
 */
const MAY_BE_REFUSED = fragment`(
      ${'is_rehearsal'}::boolean AND (
        state <> 'STAGED'
        OR (updated_at AT TIME ZONE ${'time_zone'})::date < ${'today'}::date
        OR updated_at < ${'started_at'}
        OR updated_at <= (SELECT max(occurred_at) FROM audit_events WHERE subject_id = ${'import_supplier_id'})
      )
    )`;

/**
 * The accounts of a cohort as they are staged now, in the order of their ids: what their history depends on, and what
 * counts for the sums. Found by their ids alone. A rehearsal gets the payloads that today's rules may refuse.
 */
const STAGED_ACCOUNTS = sql('staged-accounts', {
  id: 'uuid',
  external_account_number: 'text',
  times_staged: 'integer',
  history: 'text | null',
  transfer_balance: 'text | null',
  account_type: 'text | null',
  customers: 'integer | null',
  supply_points: 'integer | null',
  payload: narrow<string | null>('text | null'),
})`
  SELECT
    id,
    external_account_number,
    times_staged,
    (
      SELECT jsonb_object_agg(key, value)::text
      FROM jsonb_each(payload)
      WHERE key IN ('last_billed_to_date', 'last_statement_balance') OR key = ANY (${HISTORY})
    ) AS history,
    payload->>'transfer_balance' AS transfer_balance,
    payload->>'account_type' AS account_type,
    jsonb_array_length(payload->'customers') AS customers,
    ${SUPPLY_POINTS} AS supply_points,
    CASE WHEN ${MAY_BE_REFUSED} THEN payload::text END AS payload
  FROM account_imports
  WHERE id = ANY (${'ids'}::uuid[])
  ORDER BY id`;
