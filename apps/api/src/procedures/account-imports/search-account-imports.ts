import { StaffListAccountImportsRequest, StaffListAccountImportsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The account imports of one supplier, by state or by the beginning of a number (behaviour 14.6). */
export const searchAccountImports = staffProcedure
  .input(StaffListAccountImportsRequest)
  .output(StaffListAccountImportsResponse)
  .query(answerRecords(domain.searchAccountImports, ({ external_account_number }) => external_account_number));
