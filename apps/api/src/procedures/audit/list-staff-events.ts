import { ListStaffEventsRequest, ListStaffEventsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** What the service team did, newest first (behaviour 14.7.4). */
export const listStaffEvents = staffProcedure
  .input(ListStaffEventsRequest)
  .output(ListStaffEventsResponse)
  .query(({ ctx, input }) => domain.listStaffEvents(ctx, input));
