import { LIMITS } from '@causeway/contracts/limits';
import { queryOptions } from '@tanstack/react-query';
import { type InputOf, type OutputOf, untyped } from './ask.ts';

/** What `after` is for the page behind a record. */
const AFTER = {
  'organisations.list': ({ id }: { id: string }) => id,
  'apiKeys.list': ({ id }: { id: string }) => id,
  'operationsTeams.list': ({ id }: { id: string }) => id,
  'importSuppliers.list': ({ code }: { code: string }) => code,
};
type Listed = keyof typeof AFTER;

/** A list of administration whole, however many pages the service has of it: choices and names are looked up in it. */
export function askAll<P extends Listed>(procedure: P) {
  return queryOptions({
    queryKey: [procedure, 'all'] as const,
    async queryFn({ signal }) {
      const all: unknown[] = [];
      for (let page: unknown[] | undefined; page === undefined || page.length === LIMITS.list; ) {
        const last = all.at(-1);
        const after = last === undefined ? {} : { after: AFTER[procedure](last as { id: string; code: string }) };
        const input: InputOf<Listed> = { limit: LIMITS.list, ...after };
        page = (await untyped.query(procedure, input, { signal })) as unknown[];
        all.push(...page);
      }
      return all as OutputOf<P>;
    },
  });
}
