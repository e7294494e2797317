import { ListEventsRequest, ListEventsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 27.2. */
export const listEvents = supplierProcedure(ListEventsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/events/',
      tags: ['Events'],
      summary: 'Read events',
      description:
        'What happened to the accounts, jobs and import suppliers of your organisation since your last request. Store ' +
        '`next` together with what you did for the events, and send it as `after`: you receive every event at least ' +
        'once, those of an account in their order. Wait some seconds when `has_more` is false.',
      successDescription: 'The events, and where the next ones begin.',
    },
    errors: ['event_cursor_expired'],
  })
  .output(answers(ListEventsResponse))
  .query(({ ctx, input }) => domain.listEvents(ctx, input));
