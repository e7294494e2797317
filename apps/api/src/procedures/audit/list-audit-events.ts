import { ListAuditEventsRequest, ListAuditEventsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The audit trail of an organisation, API key, operations team, import supplier or account import. */
export const listAuditEvents = staffProcedure
  .input(ListAuditEventsRequest)
  .output(ListAuditEventsResponse)
  .query(answerRecords(domain.listAuditEvents, ({ id }) => id));
