import { randomUUID } from 'node:crypto';
import type {
  ApiKey,
  IssueApiKeyRequest,
  IssuedApiKey,
  IssueStaffApiKeyRequest,
  ListApiKeysRequest,
  RevokeApiKeyRequest,
} from '@causeway/contracts';
import { fragment, type Queryable, type RowOf, sql } from '@causeway/db';
import { refuseUnknownOrganisation } from '../organisations/organisations.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { withUtcDatetimes } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { pageById, pageValues } from '../shared/list-page.ts';
import { newApiKey, secretDigest } from './api-key-text.ts';
import { roleOf } from './find-actor.ts';

/**
 * Issues an API key to an organisation (behaviour 5.5, 14.3). The key is in this answer only; its digest is stored. An
 * organisation that was never created is `organisation_does_not_exist`.
 */
export function issueApiKey(context: Context, { organisation_id, label }: IssueApiKeyRequest): Promise<IssuedApiKey> {
  return issue(context, { organisation_id, label }).catch(refuseUnknownOrganisation);
}

/**
 * Issues an API key to the service team, in the same way: to the `person` who is named, for good (behaviour 24.1), or
 * to nobody in particular. Its role is for good, too (behaviour 14.3.5).
 */
export function issueStaffApiKey(
  context: Context,
  { label, person, role }: IssueStaffApiKeyRequest,
): Promise<IssuedApiKey> {
  const owner = { organisation_id: null, label, ...(person !== undefined && { person }) };
  return issue(context, { ...owner, ...(role === 'READ_ONLY' && { is_read_only: true }) });
}

async function issue(
  context: Context,
  owner: { organisation_id: string | null; label: string; person?: string; is_read_only?: boolean },
): Promise<IssuedApiKey> {
  const id = randomUUID();
  const api_key = newApiKey(owner.organisation_id === null ? 'staff' : 'supplier');
  await context.database.query(ISSUE_API_KEY, {
    ...auditValues(context, id),
    ...{ person: null, is_read_only: false, ...owner },
    digest: secretDigest(api_key),
    detail: JSON.stringify(owner),
  });
  return { id, api_key };
}

const ISSUE_API_KEY = sql('issue-api-key')`
  WITH issued AS (
    INSERT INTO api_keys (id, organisation_id, label, digest, person, is_read_only, created_at)
    VALUES (
      ${'id'},
      ${'organisation_id'},
      ${'label'},
      ${'digest'},
      ${'person'},
      ${'is_read_only'},
      ${'at'}
    )
  )
  INSERT INTO audit_events ${AUDITED} 'api_key', 'issued', ${'detail'}::jsonb`;

/** The API keys of one organisation or all, oldest first, including revoked ones (behaviour 14.3). */
export async function listApiKeys(context: Context, request: ListApiKeysRequest): Promise<ApiKey[]> {
  const { organisation_id = null } = request;
  const rows = await context.database.query(LIST_API_KEYS, { organisation_id, ...pageValues(request) });
  return rows.map(apiKeyRecord);
}

const COLUMNS = {
  id: 'uuid',
  organisation_id: 'uuid | null',
  label: 'text',
  person: 'text | null',
  is_read_only: 'boolean',
  created_at: 'timestamptz',
  revoked_at: 'timestamptz | null',
} as const;

const RECORD = fragment`
  SELECT id, organisation_id, label, person, is_read_only, created_at, revoked_at
  FROM api_keys`;

const LIST_API_KEYS = sql('list-api-keys', COLUMNS)`${RECORD}
  WHERE (${'organisation_id'}::uuid IS NULL OR organisation_id = ${'organisation_id'})
    AND ${pageById('api_keys')}`;

const READ_API_KEY = sql('read-api-key', COLUMNS)`${RECORD}
  WHERE id = ${'id'}`;

/** A key as the service team sees it: neither the key nor its digest. */
function apiKeyRecord(row: RowOf<typeof READ_API_KEY>): ApiKey {
  const { is_read_only, ...record } = withUtcDatetimes(row);
  return { ...record, role: row.organisation_id === null ? roleOf(is_read_only) : null };
}

/**
 * Revokes an API key permanently: it, its tokens and its refresh tokens stop working within 5 seconds on every
 * instance. Its refresh tokens stay stored until they expire, but are no longer exchanged. Revoking it again changes
 * nothing. An unknown id is `api_key_does_not_exist`. The service team's last active key that may do more than read is `last_staff_api_key`:
 * without one, no further key could be issued. Of two concurrent revocations that would leave none, one is refused.
 */
export async function revokeApiKey(context: Context, { id }: RevokeApiKeyRequest): Promise<ApiKey> {
  const [row] = await context.database.transaction(async (transaction) => {
    await refuseLastStaffKey(transaction, id);
    await transaction.query(REVOKE_API_KEY, auditValues(context, id));
    return transaction.query(READ_API_KEY, { id });
  });
  if (row === undefined) {
    throw new DomainError('api_key_does_not_exist', 'There is no API key with this id.', { attr: 'id' });
  }
  return apiKeyRecord(row);
}

/** Locks all active staff keys that may issue others until the transaction ends, always in the same order, if this key is one of them. */
async function refuseLastStaffKey(transaction: Queryable, id: string): Promise<void> {
  const staffKeys = await transaction.query(LOCK_STAFF_KEYS, { id });
  if (staffKeys.length === 1 && staffKeys[0]?.id === id) {
    const detail = 'This is the last key of the service team that can issue keys: issue another one first.';
    throw new DomainError('last_staff_api_key', detail, { attr: 'id' });
  }
}

const LOCK_STAFF_KEYS = sql('lock-staff-keys', { id: 'uuid' })`
  SELECT id
  FROM api_keys
  WHERE organisation_id IS NULL
    AND revoked_at IS NULL
    AND NOT is_read_only
    AND EXISTS (SELECT FROM api_keys WHERE id = ${'id'} AND organisation_id IS NULL)
  ORDER BY id
  FOR NO KEY UPDATE`;

const REVOKE_API_KEY = sql('revoke-api-key')`
  WITH revoked AS (
    UPDATE api_keys
    SET revoked_at = ${'at'}
    WHERE id = ${'id'} AND revoked_at IS NULL
    RETURNING id
  )
  INSERT INTO audit_events ${AUDITED} 'api_key', 'revoked', NULL
  FROM revoked`;
