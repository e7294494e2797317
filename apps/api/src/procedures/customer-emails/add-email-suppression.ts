import { AddEmailSuppressionRequest, EmailSuppression } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Adds an address that gets no e-mail (behaviour 29.5). */
export const addEmailSuppression = staffProcedure
  .input(AddEmailSuppressionRequest)
  .output(EmailSuppression)
  .mutation(({ ctx, input }) => domain.addEmailSuppression(ctx, input));
