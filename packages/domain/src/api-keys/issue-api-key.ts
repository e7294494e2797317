import { randomUUID } from 'node:crypto';
import type { IssueApiKeyRequest, IssuedApiKey, IssueStaffApiKeyRequest } from '@causeway/contracts';
import { auditEvent } from '../audit/audit-event-records.ts';
import type { Context } from '../context.ts';
import { DomainError, isUnknownReference } from '../errors.ts';
import { newApiKey, secretDigest } from './api-key-text.ts';

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
