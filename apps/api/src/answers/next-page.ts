import type { ResponseNotes } from '../http/context.ts';

/** What the caller waits for is usually committed within milliseconds. */
const AFTER_EMPTY_PAGE_S = 1;

/**
 * The `Link` to the next page of a list (behaviour 4.12); nothing at its end. If this page is empty, also when to ask
 * again. `addressOf`: the address of the page at a position.
 */
export function nextPageHeaders(
  { nextPage, isEmptyPage }: ResponseNotes,
  addressOf: (position: NonNullable<ResponseNotes['nextPage']>) => string,
): Record<string, string> {
  if (nextPage === undefined) return {};
  return {
    Link: `<${addressOf(nextPage)}>; rel="next"`,
    ...(isEmptyPage && { 'Retry-After': String(AFTER_EMPTY_PAGE_S) }),
  };
}
