import {
  ListAuditEventsRequest,
  ListAuditEventsResponse,
  ListStaffEventsRequest,
  ListStaffEventsResponse,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-pages.ts';
import { staffProcedure } from '../procedure.ts';

/** The audit trail (behaviour 14.7). */
export const audit = {
  /** The audit trail of an organisation, API key, operations team, import supplier or account import. */
  list: staffProcedure
    .input(ListAuditEventsRequest)
    .output(ListAuditEventsResponse)
    .query(answerRecords(domain.listAuditEvents, ({ id }) => id)),

  /** What the service team did, newest first (behaviour 14.7.4). */
  listOfStaff: staffProcedure
    .input(ListStaffEventsRequest)
    .output(ListStaffEventsResponse)
    .query(({ ctx, input }) => domain.listStaffEvents(ctx, input)),
};
