import type { ApiKey, ListApiKeysRequest } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { pageById } from '../list-page.ts';
import { apiKeyRecord } from './api-key-record.ts';

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
