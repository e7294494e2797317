import { ListByProblemRequest, ListByProblemResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The accounts that have one problem (behaviour 14.6.8). */
export const listByProblem = staffProcedure
  .input(ListByProblemRequest)
  .output(ListByProblemResponse)
  .query(answerRecords(domain.listByProblem, ({ external_account_number }) => external_account_number));
