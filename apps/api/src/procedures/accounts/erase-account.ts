import { EraseAccountRequest, StaffAccountImport } from '@causeway/contracts';
import { eraseAccount as erase } from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Erases the personal data of an account for good. */
export const eraseAccount = staffProcedure
  .input(EraseAccountRequest)
  .output(StaffAccountImport)
  .mutation(({ ctx, input }) => erase(ctx, input));
