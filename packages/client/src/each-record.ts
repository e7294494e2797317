import type { AppRouter } from '@causeway/api/router';
import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { wait } from './wait.ts';

/** A procedure of the client that answers with a list: `client.dataImport.listAccountImports`. */
interface ListProcedure {
  // biome-ignore lint/suspicious/noExplicitAny: the input and the records of any list
  query(input: any, options: { context: Record<string, unknown>; signal?: AbortSignal }): Promise<readonly any[]>;
}

type InputOf<Procedure extends ListProcedure> = Parameters<Procedure['query']>[0];
type KeyOf<Input> = Input extends object ? keyof Input : never;
/** Only a list that takes `after` has pages: `eachRecord` would end after the beginning of another. */
type Paged<Procedure extends ListProcedure> = 'after' extends KeyOf<InputOf<Procedure>> ? Procedure : never;
type RecordOf<Procedure extends ListProcedure> = Awaited<ReturnType<Procedure['query']>>[number];

/** What the answer to a page's call said in its headers. */
interface PageNotes {
  link?: string | null;
  retryAfterS?: number;
}

/** The call is for one page, and sent on its own: its context takes the headers of the answer. */
export const isPage = (context: Record<string, unknown>): boolean => context.page !== undefined;

/** Notes the headers of a page's answer in the context of its call. */
export const pageLink: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) =>
      next(op).subscribe({
        next(value) {
          const page = op.context.page as PageNotes | undefined;
          const { response } = (value.context ?? {}) as { response?: Response };
          if (page !== undefined) {
            page.link = response?.headers.get('link') ?? null;
            page.retryAfterS = Number(response?.headers.get('retry-after') ?? 0);
          }
          observer.next(value);
        },
        error: (error) => observer.error(error),
        complete: () => observer.complete(),
      }),
    );

/**
 * Every record of a list, page after page: `for await (const record of eachRecord(client.organisations.list, {}))`.
 * Each page is asked for when the one before has been consumed. `limit` is the size of a page. To continue later, begin
 * after the last record: nothing is missed (behaviour 4.12.7). If `signal` is aborted, the next page's call fails with
 * it.
 */
export async function* eachRecord<Procedure extends ListProcedure>(
  procedure: Procedure & Paged<Procedure>,
  input: InputOf<Procedure>,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<RecordOf<Procedure>, void> {
  for (let asked: InputOf<Procedure> | undefined = input; asked !== undefined; ) {
    const page: PageNotes = {};
    const records: readonly RecordOf<Procedure>[] = await procedure.query(asked, { ...options, context: { page } });
    yield* records;
    asked = nextInput(page);
    // An empty page has a next one while another call is about to commit what comes then.
    if (asked !== undefined && records.length === 0) await pause(page.retryAfterS, options.signal);
  }
}

/** `</trpc/organisations.list?input=...>; rel="next"` */
function nextInput({ link }: PageNotes): unknown {
  const address = /^<([^>]*)>; rel="next"$/.exec(link ?? '')?.[1];
  if (address === undefined) return undefined;
  return JSON.parse(new URL(address, 'http://of.the.service').searchParams.get('input') ?? '{}');
}

/** Also without a Retry-After, which a proxy may have dropped. Ends early when the signal is aborted. */
async function pause(retryAfterS = 0, signal = new AbortController().signal): Promise<void> {
  await wait(Math.max(retryAfterS, 1) * 1_000, signal).catch(() => undefined);
}
