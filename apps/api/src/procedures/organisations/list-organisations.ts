import { ListOrganisationsRequest, ListOrganisationsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The organisations (behaviour 14.2). */
export const listOrganisations = staffProcedure
  .input(ListOrganisationsRequest)
  .output(ListOrganisationsResponse)
  .query(answerRecords(domain.listOrganisations, ({ id }) => id));
