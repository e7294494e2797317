import { queryOptions } from '@tanstack/react-query';
import { type InputOf, type OutputOf, untyped } from './ask.ts';
import { queryClient } from './client.ts';
import { askAll } from './list-all.ts';

type Listed = 'dataImport.listBulkJobs' | 'dataImport.listReconciliations';

/** Of each import supplier; nobody has more of either. */
const PAGE = 10_000;

/**
 * A list that the service has of each import supplier, of one of them or of all, newest first: the calls go together, in
 * a few requests.
 */
export function listOfSuppliers<P extends Listed>(procedure: P, code: string | undefined) {
  return queryOptions({
    queryKey: [procedure, 'of suppliers', code] as const,
    async queryFn({ signal }) {
      const codes = code === undefined ? await everyCode() : [code];
      const lists = await Promise.all(
        codes.map((import_supplier) => {
          const input: InputOf<Listed> = { import_supplier, limit: PAGE };
          return untyped.query(procedure, input, { signal }) as Promise<OutputOf<P>>;
        }),
      );
      return lists.flat().sort(newestFirst) as unknown as OutputOf<P>;
    },
  });
}

async function everyCode(): Promise<string[]> {
  return (await queryClient.fetchQuery(askAll('importSuppliers.list'))).map(({ code }) => code);
}

/** Both have ids in the order of their creation. */
function newestFirst(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? 1 : -1;
}
