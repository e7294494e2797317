import { randomUUID } from 'node:crypto';
import type {
  ApiKey,
  IssueApiKeyRequest,
  IssuedApiKey,
  IssueStaffApiKeyRequest,
  ListApiKeysRequest,
  RevokeApiKeyRequest,
} from '@causeway/contracts';
import type { ApiKey as ApiKeyRow, Database } from '@causeway/db';
import { auditEvent } from '../shared/audit-event-records.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetime, utcDatetimeOrNull } from '../shared/dates.ts';
import { DomainError, isUnknownReference } from '../shared/errors.ts';
import { pageById } from '../shared/list-page.ts';
import { newApiKey, secretDigest } from './api-key-text.ts';
import { roleOf } from './find-actor.ts';

/**
 * Issues an API key to an organisation (behaviour 5.5, 14.3). The key is in this answer only; its digest is stored. An
 * organisation that was never created is `organisation_does_not_exist`.
 */
export async function issueApiKey(context: Context, request: IssueApiKeyRequest): Promise<IssuedApiKey> {
  const { organisation_id, label } = request;
  try {
    return await issue(context, { organisation_id, label });
  } catch (error) {
    if (isUnknownReference(error)) {
      const detail = 'There is no organisation with this id.';
      throw new DomainError('organisation_does_not_exist', detail, { attr: 'organisation_id', cause: error });
    }
    throw error;
  }
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
  const { prisma } = context.database;
  const id = randomUUID();
  const api_key = newApiKey(owner.organisation_id === null ? 'staff' : 'supplier');
  const change = { subjectId: id, subject: 'api_key', action: 'issued', detail: owner } as const;
  await prisma.$transaction([
    prisma.apiKey.create({ data: { id, ...owner, digest: secretDigest(api_key), created_at: context.clock() } }),
    prisma.auditEvent.create({ data: auditEvent(context, change) }),
  ]);
  return { id, api_key };
}

/** The API keys of one organisation or all, oldest first, including revoked ones (behaviour 14.3). */
export async function listApiKeys(context: Context, request: ListApiKeysRequest): Promise<ApiKey[]> {
  const { organisation_id } = request;
  const rows = await context.database.prisma.apiKey.findMany({
    ...pageById(request),
    ...(organisation_id === undefined ? {} : { where: { organisation_id } }),
    omit: { digest: true },
  });
  return rows.map(apiKeyRecord);
}

/** A key as the service team sees it: neither the key nor its digest. */
export function apiKeyRecord(row: Omit<ApiKeyRow, 'digest'>): ApiKey {
  const { id, organisation_id, label, person, is_read_only, created_at, revoked_at } = row;
  return {
    id,
    organisation_id,
    label,
    person,
    role: organisation_id === null ? roleOf(is_read_only) : null,
    created_at: utcDatetime(created_at),
    revoked_at: utcDatetimeOrNull(revoked_at),
  };
}

/**
 * Revokes an API key permanently: it, its tokens and its refresh tokens stop working within 5 seconds on every
 * instance. Its refresh tokens stay stored until they expire, but are no longer exchanged. Revoking it again changes
 * nothing. An unknown id is `api_key_does_not_exist`. The service team's last active key that may do more than read is `last_staff_api_key`:
 * without one, no further key could be issued. Of two concurrent revocations that would leave none, one is refused.
 */
export async function revokeApiKey(context: Context, { id }: RevokeApiKeyRequest): Promise<ApiKey> {
  const row = await context.database.prisma.$transaction(async (tx) => {
    await refuseLastStaffKey(tx, id);
    const { count } = await tx.apiKey.updateMany({
      where: { id, revoked_at: null },
      data: { revoked_at: context.clock() },
    });
    if (count > 0) {
      const change = { subjectId: id, subject: 'api_key', action: 'revoked' } as const;
      await tx.auditEvent.create({ data: auditEvent(context, change) });
    }
    return tx.apiKey.findUnique({ where: { id }, omit: { digest: true } });
  });
  if (row === null) {
    throw new DomainError('api_key_does_not_exist', 'There is no API key with this id.', { attr: 'id' });
  }
  return apiKeyRecord(row);
}

/** Locks all active staff keys that may issue others until the transaction ends, always in the same order, if this key is one of them. */
async function refuseLastStaffKey(tx: Pick<Database['prisma'], '$queryRaw'>, id: string): Promise<void> {
  const staffKeys = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM api_keys
    WHERE organisation_id IS NULL AND revoked_at IS NULL AND NOT is_read_only
      AND EXISTS (SELECT FROM api_keys WHERE id = ${id}::uuid AND organisation_id IS NULL)
    ORDER BY id FOR NO KEY UPDATE`;
  if (staffKeys.length === 1 && staffKeys[0]?.id === id) {
    const detail = 'This is the last key of the service team that may issue another one: do that first.';
    throw new DomainError('last_staff_api_key', detail, { attr: 'id' });
  }
}
