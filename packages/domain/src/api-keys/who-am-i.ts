import type { WhoAmI } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { roleOf } from './api-key-record.ts';

/** The API key of the caller, and whose it is (behaviour 14.3.4). */
export async function whoAmI({ actor, database }: Context): Promise<WhoAmI> {
  const { label, person, is_read_only, organisation } = await database.prisma.apiKey.findUniqueOrThrow({
    where: { id: actor.apiKeyId },
    select: { label: true, person: true, is_read_only: true, organisation: { select: { id: true, name: true } } },
  });
  return organisation === null
    ? { kind: 'staff', label, person, role: roleOf(is_read_only), organisation }
    : { kind: 'supplier', label, person, role: null, organisation };
}
