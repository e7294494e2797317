import type { SignOff, SignOffRequest, SignOffResponse } from '@causeway/contracts';
import { narrow, type ReconciliationState, type ReconciliationVerdict, rawSql, sql } from '@causeway/db';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import { undoneOf } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';

/**
 * Signs a finished reconciliation off, once, in the name of the person whose key is used (behaviour 24.3). Refuses with
 * `person_required` if the key names none, `reconciliation_does_not_exist`, and `reconciliation_state_not_allowed` if
 * it is not FINISHED, was signed off before, or something was undone since; the same person's same note again changes nothing.
 */
export async function signOffReconciliation(context: Context, { id, note }: SignOffRequest): Promise<SignOffResponse> {
  const [row] = await context.database.transaction(async (transaction) => {
    await transaction.query(LOCK_SUPPLIER_OF_RECONCILIATION, { id });
    return transaction.query(SIGN_OFF_RECONCILIATION, { ...auditValues(context, id), note });
  });
  if (row === undefined) throw noReconciliation('id');
  if (row.person === null) {
    const detail = 'Only a person can sign off: use an API key that was issued to one.';
    throw new DomainError('person_required', detail);
  }
  const signedOff = signOffOf(row);
  if (signedOff === null && row.state === 'FINISHED') {
    throw notAllowed(`${row.undone_since} accounts were undone since it began to compare. Create another one.`);
  }
  if (signedOff === null) {
    throw notAllowed(`A reconciliation that is ${row.state} cannot be signed off. ${untilFinished(row.state)}`);
  }
  if (row.person !== signedOff.person || note !== signedOff.note) {
    throw notAllowed(`It was signed off before, by ${signedOff.person} at ${signedOff.at}.`);
  }
  return { id, signed_off: signedOff };
}

/** The columns of a reconciliation that tell of its sign-off. */
export interface SignedOff {
  verdict: string | null;
  differences: string | null;
  finished_at: Date | null;
  signed_off_person: string | null;
  signed_off_at: Date | null;
  signed_off_note: string | null;
}

/** The sign-off of a reconciliation, with what it covers; null without one. */
export function signOffOf(row: SignedOff): SignOff | null {
  const { signed_off_person: person, signed_off_at: at, signed_off_note: note, finished_at } = row;
  if (person === null || at === null || note === null || finished_at === null) return null;
  const differences = `${row.differences} difference${row.differences === '1' ? '' : 's'}`;
  const covers =
    `The comparison that finished at ${utcDatetime(finished_at)}, ${row.verdict}, with ${differences}: ` +
    'not what was changed after it.';
  return { person, at: utcDatetime(at), note, covers };
}

/** The refusal of an id that was never created, or is another organisation's. */
export function noReconciliation(attr: string): DomainError {
  return new DomainError('reconciliation_does_not_exist', 'There is no reconciliation with this id.', { attr });
}

function notAllowed(detail: string): DomainError {
  return new DomainError('reconciliation_state_not_allowed', detail, { attr: 'id' });
}

/** Waits for every undo in flight, and blocks others until the end of the transaction. */
const LOCK_SUPPLIER_OF_RECONCILIATION = sql('lock-supplier-of-reconciliation', { lock_import_supplier: 'void' })`
  SELECT lock_import_supplier(import_supplier_code)
  FROM reconciliations
  WHERE id = ${'id'}`;

/**
 * Signs a finished reconciliation off that nobody has signed off yet, in the name of the key's person; the stored
 * report is made again, with the sign-off. Returns the reconciliation as it is then, and that person. No row: it does not
 * exist.
 */
const SIGN_OFF_RECONCILIATION = sql('sign-off-reconciliation', {
  state: narrow<ReconciliationState>('text'),
  verdict: narrow<ReconciliationVerdict | null>('text | null'),
  differences: 'bigint | null',
  finished_at: 'timestamptz | null',
  signed_off_person: 'text | null',
  signed_off_at: 'timestamptz | null',
  signed_off_note: 'text | null',
  person: 'text | null',
  undone_since: 'integer',
})`
  WITH signer AS MATERIALIZED (
    SELECT id, person
    FROM api_keys
    WHERE id = ${'api_key_id'}
  ),
  signed AS (
    UPDATE reconciliations AS reconciliation
    SET
      signed_off_by = signer.id,
      signed_off_person = signer.person,
      signed_off_at = ${'at'},
      signed_off_note = ${'note'},
      report_jws = NULL
    FROM signer
    WHERE reconciliation.id = ${'id'}
      AND state = 'FINISHED'
      AND signed_off_at IS NULL
      AND signer.person IS NOT NULL
      AND undone_before = ${undoneOf(rawSql('reconciliation.import_supplier_code'))}
    RETURNING reconciliation.*
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'reconciliation', 'signed_off',
      jsonb_build_object('verdict', verdict, 'differences', differences, 'note', signed_off_note)
    FROM signed
  ),
  reconciliation AS (
    SELECT * FROM signed
    UNION ALL
    SELECT * FROM reconciliations
    WHERE id = ${'id'} AND NOT EXISTS (SELECT FROM signed)
  )
  SELECT
    state::text AS state,
    verdict::text AS verdict,
    differences,
    finished_at,
    signed_off_person,
    signed_off_at,
    signed_off_note,
    (SELECT person FROM signer) AS person,
    ${undoneOf(rawSql('reconciliation.import_supplier_code'))} - undone_before AS undone_since
  FROM reconciliation`;

/** What to do about a reconciliation that has not finished, or never will. */
export const untilFinished = (state: string) =>
  state === 'CANCELLED' ? 'Create another one.' : 'Wait until it is FINISHED.';
