import { GetAccountImportRequest, StaffAccountImportDetail } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** One account import: the record, the payload, the audit trail (behaviour 14.6). */
export const getAccountImport = staffProcedure
  .input(GetAccountImportRequest)
  .output(StaffAccountImportDetail)
  .query(({ ctx, input }) => domain.getAccountImport(ctx, input));
