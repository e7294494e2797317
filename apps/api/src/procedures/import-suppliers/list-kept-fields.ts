import { ListKeptFieldsRequest, ListKeptFieldsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The undocumented fields that are kept of an import supplier's accounts, counted by path (behaviour 14.4). */
export const listKeptFields = staffProcedure
  .input(ListKeptFieldsRequest)
  .output(ListKeptFieldsResponse)
  .query(({ ctx, input }) => domain.listKeptFields(ctx, input));
