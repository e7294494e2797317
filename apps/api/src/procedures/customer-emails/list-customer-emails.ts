import { ListCustomerEmailsRequest, ListCustomerEmailsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The e-mails of an account, or why it has none (behaviour 29.6). */
export const listCustomerEmails = staffProcedure
  .input(ListCustomerEmailsRequest)
  .output(ListCustomerEmailsResponse)
  .query(({ ctx, input }) => domain.listCustomerEmails(ctx, input));
