import { CountUnsettledEmailsRequest, CountUnsettledEmailsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** How many e-mails somebody has to look at (behaviour 29.6). */
export const countUnsettledEmails = staffProcedure
  .input(CountUnsettledEmailsRequest)
  .output(CountUnsettledEmailsResponse)
  .query(({ ctx, input }) => domain.countUnsettledEmails(ctx, input));
