import { ListOperationsTeamsRequest, ListOperationsTeamsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The operations teams (behaviour 14.5). */
export const listOperationsTeams = staffProcedure
  .input(ListOperationsTeamsRequest)
  .output(ListOperationsTeamsResponse)
  .query(answerRecords(domain.listOperationsTeams, ({ id }) => id));
