import type { Event, ListEventsResponse } from '@causeway/contracts';
import type { RestCalls } from '../support/test-service.ts';

export async function readEvents(caller: RestCalls, query = ''): Promise<ListEventsResponse> {
  const { status, body } = await caller.get(`events/${query}`);
  if (status !== 200) throw new Error(`Reading events answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Every event after a cursor, page by page. */
export async function readAllEvents(
  caller: RestCalls,
  { after, limit = 100 }: { after?: string | null | undefined; limit?: number } = {},
): Promise<{ events: Event[]; next: string | null }> {
  const events: Event[] = [];
  for (let next = after ?? null; ; ) {
    const page = await readEvents(caller, `?limit=${limit}${next === null ? '' : `&after=${next}`}`);
    events.push(...page.events);
    next = page.next;
    if (!page.has_more) return { events, next };
  }
}

/** What the events of an account, or of anything else, tell in their order. */
export function told(events: readonly Event[], number?: string): string[] {
  return events
    .filter(
      ({ data }) =>
        number === undefined || ('external_account_number' in data && data.external_account_number === number),
    )
    .map(({ type }) => type);
}
