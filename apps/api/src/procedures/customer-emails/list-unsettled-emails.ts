import { ListUnsettledEmailsRequest, ListUnsettledEmailsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The e-mails that somebody has to look at (behaviour 29.6). */
export const listUnsettledEmails = staffProcedure
  .input(ListUnsettledEmailsRequest)
  .output(ListUnsettledEmailsResponse)
  .query(({ ctx, input }) => domain.listUnsettledEmails(ctx, input));
