import { StaffAccountImport, UnskipAccountImportRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Makes a skipped account pending again (behaviour 14.6). */
export const unskipAccountImport = staffProcedure
  .input(UnskipAccountImportRequest)
  .output(StaffAccountImport)
  .mutation(({ ctx, input }) => domain.unskipAccountImport(ctx, input));
