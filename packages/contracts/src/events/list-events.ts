import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { Uuid } from '../formats.ts';
import { NamedInPath } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { Event, EventType } from './event.ts';

const exampleCursor = '48213-6f1d0c5b';

/** The request for an organisation's events (behaviour 27.2). */
export const ListEventsRequest = z
  .object({
    after: optional(
      NamedInPath,
      'The `next` of your last answer; the events continue after it. Without it they begin with the oldest that is kept.',
      exampleCursor,
    ),
    limit: optional(
      wholeNumber(1, LIMITS.events),
      `The maximum number of events to return, 1 to ${limitText(LIMITS.events)}. Default: ${limitText(LIMITS.events_default)}.`,
      100,
    ),
    type: optional(
      EventType,
      'Only events of this type; the cursor passes the others. Default: all.',
      'account.created',
    ),
    organisation_id: optional(
      Uuid,
      'For the service team only: the organisation whose events are read. Yours are your own.',
      '019a9d4e-0000-7b3a-8f21-5d0c6a7e9b14',
    ),
  })
  .meta({
    id: 'ListEventsRequest',
    description: 'Asks for the events of your organisation after a cursor.',
    examples: [{ after: exampleCursor, limit: 100 }],
  });
export type ListEventsRequest = z.infer<typeof ListEventsRequest>;

export const ListEventsResponse = z
  .object({
    events: field(z.array(Event), 'The events, in their order; maybe none.'),
    next: field(
      z.string().nullable(),
      'The cursor: store it with what you have done for these events, and send it as `after`. Null if there has been no event yet.',
      exampleCursor,
    ),
    has_more: field(
      z.boolean(),
      'True: ask again at once. False: there is nothing more now; wait some seconds before you ask again.',
      false,
    ),
  })
  .apply(documented, 'ListEventsResponse', 'Events of your organisation, and where the next ones begin.');
export type ListEventsResponse = z.infer<typeof ListEventsResponse>;
