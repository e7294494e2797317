import type { AccountImportState } from '@causeway/contracts';
import type { Context } from '../context.ts';

/** Which account import it is, and its state; null if it was never staged. */
interface OnPage {
  id: string;
  state: AccountImportState | null;
}

/**
 * Says of each account import of a page whether it is complete (behaviour 14.6.9): COMPLETED without an open refusal. Only
 * the created ones are looked up, by primary key.
 */
export async function completeOnPage(
  { database }: Context,
  page: readonly OnPage[],
): Promise<(one: OnPage) => boolean> {
  const created = page.filter(({ state }) => state === 'COMPLETED').map(({ id }) => id);
  const incomplete =
    created.length === 0
      ? []
      : await database.prisma.incompleteAccount.findMany({
          where: { account_import_id: { in: created } },
          select: { account_import_id: true },
        });
  const refused = new Set(incomplete.map(({ account_import_id }) => account_import_id));
  return ({ id, state }) => state === 'COMPLETED' && !refused.has(id);
}
