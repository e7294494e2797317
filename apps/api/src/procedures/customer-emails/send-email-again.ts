import { CustomerEmail, SendEmailAgainRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Sends an e-mail again (behaviour 29.6). */
export const sendEmailAgain = staffProcedure
  .input(SendEmailAgainRequest)
  .output(CustomerEmail)
  .mutation(({ ctx, input }) => domain.sendEmailAgain(ctx, input));
