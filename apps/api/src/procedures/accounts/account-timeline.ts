import { AccountTimelineRequest, AccountTimelineResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** What happened to an account import, accepted and refused (behaviour 4.16.9). */
export const accountTimeline = staffProcedure
  .input(AccountTimelineRequest)
  .output(AccountTimelineResponse)
  .query(answerRecords(domain.accountTimeline, ({ position }) => position));
