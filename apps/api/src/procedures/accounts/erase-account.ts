import { EraseAccountRequest, StaffAccountImport } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Erases the personal data of an account for good. */
export const eraseAccount = staffProcedure
  .input(EraseAccountRequest)
  .output(StaffAccountImport)
  .mutation(({ ctx, input }) => domain.eraseAccount(ctx, input));
