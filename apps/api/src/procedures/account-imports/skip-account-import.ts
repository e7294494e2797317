import { SkipAccountImportRequest, StaffAccountImport } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Marks an account to be skipped (behaviour 4.2, 14.6). */
export const skipAccountImport = staffProcedure
  .input(SkipAccountImportRequest)
  .output(StaffAccountImport)
  .mutation(({ ctx, input }) => domain.skipAccountImport(ctx, input));
