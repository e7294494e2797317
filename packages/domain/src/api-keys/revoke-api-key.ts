import type { ApiKey, RevokeApiKeyRequest } from '@causeway/contracts';
import type { Database } from '@causeway/db';
import { auditEvent } from '../audit/audit-event-records.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { apiKeyRecord } from './api-key-record.ts';

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
