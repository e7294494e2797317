import type { ListOrganisationsRequest, Organisation } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { pageById } from '../list-page.ts';

/** The organisations, oldest first (behaviour 14.2). */
export async function listOrganisations(context: Context, request: ListOrganisationsRequest): Promise<Organisation[]> {
  const rows = await context.database.prisma.organisation.findMany(pageById(request));
  return rows.map(({ id, name, created_at }) => ({ id, name, created_at: utcDatetime(created_at) }));
}
