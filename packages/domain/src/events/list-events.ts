import { type Event, LIMITS, type ListEventsRequest, type ListEventsResponse } from '@causeway/contracts';
import { organisationOf } from '../organisations/organisations.ts';
import { mayOnlyRead } from '../shared/actor.ts';
import type { Context } from '../shared/context.ts';
import { DomainError, invalidField } from '../shared/errors.ts';
import { withoutMadeUpNames } from '../shared/refused-fields.ts';
import { BEFORE_ALL_EVENTS, type PlacedEvent, readEvents } from './read-events.ts';

/**
 * One page of an organisation's events after a cursor (behaviour 27.2), from the oldest that is kept without one. An
 * organisation reads its own; the service team names one. Refuses with `request_failed_validation`
 * and, if the event of the cursor has been removed, `event_cursor_expired`.
 */
export async function listEvents(context: Context, request: ListEventsRequest): Promise<ListEventsResponse> {
  const { after, limit = LIMITS.events_default, type } = request;
  const organisationId = await organisationOf(context, request);
  const place = after === undefined ? undefined : placeOf(after);
  const slice = await readEvents(context.database, {
    organisationId,
    limit,
    after: place?.id ?? BEFORE_ALL_EVENTS,
    types: type && [type],
    ...(place && { mark: place.mark }),
  });
  if (place !== undefined && !slice.isPlace) {
    const detail =
      'Events after this cursor have been removed: compare what you have with the lists, then read on without `after`.';
    throw new DomainError('event_cursor_expired', detail, { attr: 'after' });
  }
  const next =
    slice.last === undefined ? (after ?? null) : `${slice.last.id}-${slice.last.event_id.slice(0, MARK_LENGTH)}`;
  const shown = ({ event }: PlacedEvent): Event =>
    mayOnlyRead(context) && (event.type === 'account.refused' || event.type === 'account.remarked')
      ? ({ ...event, data: withoutMadeUpNames(event.data) } as Event)
      : event;
  return { events: slice.events.map(shown), next, has_more: slice.hasMore };
}

/** A cursor is the number of an event and the beginning of its id: after a restore others may have its number. */
const CURSOR = /^([0-9]{1,18})-([0-9a-f]{8})$/;
const MARK_LENGTH = 8;

function placeOf(after: string): { id: string; mark: string } {
  const [, id, mark] = CURSOR.exec(after) ?? [];
  if (id === undefined || mark === undefined) {
    throw invalidField('after', 'Must be the `next` of an answer of this request.');
  }
  return { id, mark };
}
