import { EraseAccountRequest, StaffAccountImport } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Permanently erases the personal data of an account (behaviour 14.8). */
export const eraseAccount = staffProcedure
  .input(EraseAccountRequest)
  .output(StaffAccountImport)
  .mutation(({ ctx, input }) => domain.eraseAccount(ctx, input));
