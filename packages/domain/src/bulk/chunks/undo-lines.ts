import type { DomainCode, RemovedFigures } from '@causeway/contracts';
import { narrow, type RowOf, sql } from '@causeway/db';
import { detailOfKept, REPLACED_ANSWER } from '../../account-imports/undo-account.ts';
import { AUDIT_RECORD, AUDITED_CALL, auditValues } from '../../shared/audit-values.ts';
import { accountKey } from '../../shared/derived-id.ts';
import { ACCOUNT_EVENT_COLUMNS } from '../../shared/events.sql.ts';
import { contextOf, type Writing } from './bulk-work.ts';
import type { CreatedChunkLine } from './chunk-line.ts';
import { type LineOutcome, refused, type SumsJson } from './line-outcome.ts';

/** The part of a chunk that is done in one transaction. */
interface CreatedPart {
  ids: readonly string[];
  /** Up to which each may be undone. */
  revisions: readonly number[];
  /** The number of the first of them. */
  number: number;
}

/** The accounts of a chunk that are to be undone. */
export async function readCreated(
  { context, work }: Writing,
  { ids, revisions, number: first }: CreatedPart,
): Promise<CreatedChunkLine[]> {
  const rows = await context.database.query(NUMBERS_OF_ACCOUNTS, { ids });
  const numbers = new Map(rows.map(({ id, external_account_number }) => [id, external_account_number]));
  return ids.map((id, index) => {
    const key = accountKey(work.import_supplier_code, numbers.get(id) ?? '');
    return { kind: 'created', number: first + index, key, revision: revisions[index] ?? 0 };
  });
}

const NUMBERS_OF_ACCOUNTS = sql('numbers-of-accounts', { id: 'uuid', external_account_number: 'text' })`
  SELECT id, external_account_number
  FROM account_imports
  WHERE id = ANY (${'ids'}::uuid[])`;

/** Undoes accounts by one statement, each all or nothing; what is kept is refused with the code of its reason. */
export async function undoLines(
  writing: Writing,
  lines: readonly CreatedChunkLine[],
): Promise<Map<number, LineOutcome>> {
  const { context, work } = writing;
  const { undoing } = work;
  if (undoing === undefined) throw new Error(`The job ${work.id} undoes no other`);
  const { actor } = context;
  const calls = lines.map((line) => {
    return { ...auditValues(contextOf(writing, line), line.key.id), ...line.key, revision: line.revision };
  });
  const rows = await context.database.query(UNDO_ACCOUNTS_OF_JOB, {
    calls: JSON.stringify(calls),
    job: undoing.job_id,
    organisation_id: actor.kind === 'organisation' ? actor.organisationId : null,
    reason: undoing.reason,
    tell_again: undoing.tell_again,
    answer: JSON.stringify(REPLACED_ANSWER),
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(lines.map(({ number, key }) => [number, outcomeOf(found.get(key.id))]));
}

type Undone = RowOf<typeof UNDO_ACCOUNTS_OF_JOB>;

function outcomeOf(row: Undone | undefined): LineOutcome {
  const { outcome = 'account_not_found', retired_number, removed, by_type } = row ?? {};
  if (!retired_number || !removed) {
    const code = outcome as DomainCode;
    return refused({ step: 'process', code, detail: detailOfKept(code), errors: [] });
  }
  const { transfer_balance, customers, meter_points: supply_points, notes, statements, statements_gross } = removed;
  const account = { transfer_balance, account_type: null, customers, supply_points };
  const totals = { transactions: by_type ?? {}, statements: { count: statements, gross: statements_gross } };
  return { outcome: 'undone', service_account_number: retired_number, added: { account, notes, totals } };
}

/** As `UNDO_ACCOUNT`, for several accounts of a job: a row for each that was ever staged. */
const UNDO_ACCOUNTS_OF_JOB = sql('undo-accounts-of-job', {
  id: 'uuid',
  outcome: 'text | null',
  retired_number: 'text | null',
  removed: narrow<RemovedFigures | null>('jsonb | null'),
  by_type: narrow<SumsJson['transactions'] | null>('jsonb | null'),
})`
  WITH input AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS input (${AUDIT_RECORD},
      import_supplier_code text, external_account_number text, revision integer)
  ),
  undone AS MATERIALIZED (
    SELECT input.*, undone.*
    FROM input
    CROSS JOIN LATERAL undo_account_of_job(input.id, ${'job'}::uuid, input.revision, ${'organisation_id'}::uuid, input.at,
      ${'tell_again'}::boolean, ${'answer'}::jsonb) AS undone
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED_CALL} 'account_import', 'undone', jsonb_strip_nulls(jsonb_build_object(
      'reason', ${'reason'}::text, 'service_account_number', retired_number, 'state', outcome)) || removed
    FROM undone
    WHERE retired_number IS NOT NULL
  ),
  event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, 'account.undone', external_account_number, retired_number, '{}', at
    FROM undone
    WHERE retired_number IS NOT NULL
  )
  SELECT id, outcome, retired_number, removed, by_type
  FROM undone`;
