import { MaskedAccount, ReadMaskedAccountRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** What is stored of one account, without personal data (behaviour 14.8.6). */
export const getMaskedAccount = staffProcedure
  .input(ReadMaskedAccountRequest)
  .output(MaskedAccount)
  .query(({ ctx, input }) => domain.getMaskedAccount(ctx, input));
