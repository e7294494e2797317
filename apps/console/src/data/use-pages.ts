import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type InputOf, type OutputOf, type Procedure, untyped } from './ask.ts';
import { RESTING_MS } from './use-live.ts';

type Listing = { [P in Procedure]: OutputOf<P> extends readonly unknown[] ? P : never }[Procedure];
type RecordOf<P extends Listing> = OutputOf<P> extends readonly (infer Item)[] ? Item : never;

interface Pages<P extends Listing> {
  /** How many records a page has: fewer are the end of the list. */
  size: number;
  /** What `after` is for the page behind a record. */
  afterOf(record: RecordOf<P>): string;
  isEnabled?: boolean;
  /** Whether it is read again from time to time, while it has one page: new records stand at its end. */
  isLive?: boolean;
}

/** A list of the service page by page. What is there stays at its place while the next page is read. */
export function usePages<P extends Listing>(procedure: P, input: Omit<InputOf<P>, 'limit' | 'after'>, pages: Pages<P>) {
  const { size, afterOf, isEnabled = true, isLive = false } = pages;
  return useInfiniteQuery({
    queryKey: [procedure, 'pages', input],
    queryFn: async ({ pageParam: after, signal }) => {
      const asked = { ...input, limit: size, ...(after !== undefined && { after }) };
      return (await untyped.query(procedure, asked, { signal })) as RecordOf<P>[];
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => {
      const last = page.at(-1);
      return page.length < size || last === undefined ? undefined : afterOf(last);
    },
    select: ({ pages: read }) => read.flat(),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    refetchInterval: ({ state: { data } }) => isLive && data?.pages.length === 1 && RESTING_MS,
    // Records that were read again would move under the hand; what acts on the page reads them again.
    refetchOnWindowFocus: false,
  });
}
