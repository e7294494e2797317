import type { WhoAmI } from '@causeway/contracts';
import type { Context } from '../context.ts';

/** The API key of the caller, and whose it is (behaviour 14.3.4). */
export async function whoAmI({ actor, database }: Context): Promise<WhoAmI> {
  const { label, person, organisation } = await database.prisma.apiKey.findUniqueOrThrow({
    where: { id: actor.apiKeyId },
    select: { label: true, person: true, organisation: { select: { id: true, name: true } } },
  });
  return { kind: organisation === null ? 'staff' : 'supplier', label, person, organisation };
}
