import { SkipAccountImportRequest, StaffAccountImport } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Marks an account to be skipped (specification 4.2, design 7). */
export const skipAccountImport = staffProcedure
  .input(SkipAccountImportRequest)
  .output(StaffAccountImport)
  .mutation(({ ctx, input }) => domain.skipAccountImport(ctx, input));
