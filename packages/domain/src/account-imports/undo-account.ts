import {
  documentationUrl,
  ERROR_CODES,
  type RemovedFigures,
  type UndoAccountImportRequest,
  type UndoAccountRequest,
  type UndoAccountResponse,
} from '@causeway/contracts';
import { databaseWithin, narrow, type RowOf, sql } from '@causeway/db';
import { KEPT_FOR_MS } from '../idempotency/answer-once.ts';
import { accountErased } from '../imports/import.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import { IS_NAMED } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { DomainError } from '../shared/errors.ts';
import { ACCOUNT_EVENT_COLUMNS } from '../shared/events.sql.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';
import { accountNotStaged } from './refuse-unless-pending.ts';

/** The same for the service team, who must say why. */
export function undoAccountImport(
  context: Context,
  { code, ...request }: UndoAccountImportRequest,
): Promise<UndoAccountResponse> {
  return undoAccount(context, { ...request, import_supplier_code: code });
}

/**
 * Undoes an account (behaviour 30.1): everything imported into it is removed, its number is retired, the answers kept
 * for repeats are replaced, and its customers are told if they were told of it; all or nothing, in one transaction. A
 * dry run does the same and rolls it back: `dry_run_rolled_back` has what it would have answered. Refuses with
 * `import_supplier_does_not_exist`, `account_not_found`, `account_not_created`, `account_in_progress` (it does not wait for
 * a call that is working on the account), `undo_not_allowed`, `account_erased`, `account_adopted`, `migration_complete`,
 * `account_signed_off` and `undo_time_over`.
 */
export async function undoAccount(context: Context, request: UndoAccountRequest): Promise<UndoAccountResponse> {
  const { import_supplier_code, external_account_number, dry_run } = request;
  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');
  const { id } = accountKey(import_supplier_code, external_account_number);
  const undone = await context.database.transaction(async (transaction) => {
    const within = { ...context, database: databaseWithin(context.database, transaction) };
    const would_answer = await undoWithin(within, request);
    if (!dry_run) return would_answer;
    const detail = 'The account would be undone. It was not: this was a dry run and was rolled back.';
    throw new DomainError('dry_run_rolled_back', detail, { extra: { would_answer } });
  });
  const expires_at = new Date(context.clock().getTime() + KEPT_FOR_MS);
  await context.database.query(REPLACE_LATE_ANSWERS, { id, expires_at, ...REPLACED_ANSWER });
  return undone;
}

/** The same within the transaction of `context`; it is not tried again there. */
export async function undoWithin(
  context: Context,
  request: Omit<UndoAccountRequest, 'dry_run'>,
): Promise<UndoAccountResponse> {
  const { import_supplier_code, external_account_number, reason = null, tell_again = true } = request;
  const { actor } = context;
  const key = accountKey(import_supplier_code, external_account_number);
  const [row] = await context.database.query(UNDO_ACCOUNT, {
    ...auditValues(context, key.id),
    ...key,
    organisation_id: actor.kind === 'organisation' ? actor.organisationId : null,
    reason,
    tell_again,
    answer: JSON.stringify(REPLACED_ANSWER),
  });
  const { outcome = 'account_not_found', retired_number, removed } = row ?? {};
  if (outcome !== 'STAGED' && outcome !== 'UNDONE') throw keptBecause(outcome, external_account_number);
  if (!retired_number || !removed) throw new Error(`Account ${key.id} was undone and nothing is said of it`);
  return { external_account_number, service_account_number: retired_number, state: outcome, removed };
}

type Outcome = RowOf<typeof UNDO_ACCOUNT>['outcome'];
type Kept = Exclude<Outcome, 'STAGED' | 'UNDONE'>;

const DETAILS = {
  account_not_created: 'No account exists under this number: there is nothing to undo.',
  account_in_progress: 'Another call is working on this account: try again.',
  undo_not_allowed:
    'It cannot be undone: undo_hours of the import supplier is 0, or only the service team may (suppliers_may_undo).',
  account_adopted: 'The platform already uses the account: it cannot be undone any more.',
  migration_complete: 'The migration of this import supplier is complete: nothing of it is undone.',
  account_signed_off: 'A reconciliation that was signed off covers the account: it cannot be undone any more.',
  undo_time_over: 'The account was created too long ago: undo_hours of the import supplier are over.',
} as const;

const OF_JOBS: Readonly<Record<string, string>> = {
  ...DETAILS,
  account_erased: 'The personal data of this account was erased: it is not undone.',
  account_not_created_by_this_job: 'This job did not create the account: what it added stays.',
  changed_since: 'The account received something from another call or job since this one created it.',
};

/** Why the undo of a job keeps an account, in a sentence. */
export const detailOfKept = (code: string): string => OF_JOBS[code] ?? 'The account is kept.';

function keptBecause(code: Kept, externalAccountNumber: string): DomainError {
  if (code === 'account_not_found') return accountNotStaged(externalAccountNumber);
  if (code === 'account_erased') return accountErased();
  return new DomainError(code, DETAILS[code], { attr: 'external_account_number' });
}

/** What is answered to a repeat of a call that was answered before the undo. */
export const REPLACED_ANSWER = {
  status: ERROR_CODES.account_undone.status,
  body: JSON.stringify({
    detail: 'The account of this request was undone since: to do it again, send it with a new key.',
    code: 'account_undone',
    errors: [],
    documentation_url: documentationUrl('account_undone'),
  }),
};

/** No row if the account was never staged. Without a retired number nothing was done: `outcome` says why. */
const UNDO_ACCOUNT = sql('undo-account', {
  outcome: narrow<'STAGED' | 'UNDONE' | 'account_not_found' | 'account_erased' | keyof typeof DETAILS>('text'),
  retired_number: 'text | null',
  removed: narrow<RemovedFigures | null>('jsonb | null'),
})`
  WITH undone AS MATERIALIZED (
    SELECT import.id, import.import_supplier_code, import.external_account_number, undone.*
    FROM account_imports AS import
    CROSS JOIN LATERAL undo_account(import.id, ${'organisation_id'}::uuid, ${'at'}, ${'tell_again'}::boolean,
      ${'answer'}::jsonb) AS undone
    WHERE import.id = ${'id'}
      AND ${IS_NAMED}
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'account_import', 'undone', jsonb_strip_nulls(jsonb_build_object(
      'reason', ${'reason'}::text, 'service_account_number', retired_number, 'state', outcome)) || removed
    FROM undone
    WHERE retired_number IS NOT NULL
  ),
  event AS (
    INSERT INTO events (${ACCOUNT_EVENT_COLUMNS})
    SELECT import_supplier_code, 'account.undone', external_account_number, retired_number, '{}', ${'at'}
    FROM undone
    WHERE retired_number IS NOT NULL
  )
  SELECT coalesce(outcome, '') AS outcome, retired_number, removed
  FROM undone`;

/**
 * Runs after the undo has committed: a repeat that changes nothing waits for no lock, and may have kept what it read before.
 * Any such repeat had claimed its key before.
 */
const REPLACE_LATE_ANSWERS = sql('replace-late-answers')`
  UPDATE idempotency_keys
  SET status = ${'status'}, headers = '{}', body = ${'body'}
  WHERE account_import_id = ${'id'} AND expires_at <= ${'expires_at'}`;
