import { ListSupplierEmailsRequest, ListSupplierEmailsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** E-mails of an import supplier: in one state, or those that somebody has to look at (behaviour 29.6). */
export const listSupplierEmails = staffProcedure
  .input(ListSupplierEmailsRequest)
  .output(ListSupplierEmailsResponse)
  .query(({ ctx, input }) => domain.listSupplierEmails(ctx, input));
