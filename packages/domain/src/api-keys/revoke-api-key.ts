import type { ApiKey, RevokeApiKeyRequest } from '@causeway/contracts';
import { auditEvent } from '../audit/audit-event.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { apiKeyRecord } from './api-key-record.ts';

/**
 * Revokes an API key for good: it, its tokens and its refresh tokens stop working within 5 seconds on every instance
 * (design 4.2). Its refresh tokens, however many, stay until they expire: none is exchanged for a revoked key. Revoking it
 * again changes nothing. An unknown id is `api_key_does_not_exist`.
 */
export async function revokeApiKey(context: Context, { id }: RevokeApiKeyRequest): Promise<ApiKey> {
  const row = await context.database.prisma.$transaction(async (tx) => {
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
