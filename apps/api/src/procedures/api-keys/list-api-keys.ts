import { ListApiKeysRequest, ListApiKeysResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The API keys, without the keys themselves (behaviour 14.3). */
export const listApiKeys = staffProcedure
  .input(ListApiKeysRequest)
  .output(ListApiKeysResponse)
  .query(answerRecords(domain.listApiKeys, ({ id }) => id));
