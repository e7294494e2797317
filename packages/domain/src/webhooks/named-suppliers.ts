import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';

/**
 * Refuses with `request_failed_validation` if the organisation has no import supplier with one of the codes, which would
 * never have an event.
 */
export async function refuseOtherSuppliers(
  { database }: Context,
  { organisation_id, import_suppliers }: { organisation_id: string; import_suppliers: readonly string[] },
): Promise<void> {
  if (import_suppliers.length === 0) return;
  const where = { organisation_id, code: { in: [...import_suppliers] } };
  const own = new Set(
    (await database.prisma.importSupplier.findMany({ where, select: { code: true } })).map(({ code }) => code),
  );
  const index = import_suppliers.findIndex((code) => !own.has(code));
  if (index >= 0)
    throw invalidField(`import_suppliers.${index}`, 'The organisation has no import supplier with this code.');
}

/** What an endpoint names, each once, so that its order says nothing. */
export function sortedOnce<Name extends string>(names: readonly Name[]): Name[] {
  return [...new Set(names)].sort();
}
