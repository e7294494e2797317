import { ListOrganisationsRequest, ListOrganisationsResponse } from '@causeway/contracts';
import { listOrganisations as list } from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The organisations (design 7). */
export const listOrganisations = staffProcedure
  .input(ListOrganisationsRequest)
  .output(ListOrganisationsResponse)
  .query(({ ctx, input }) => list(ctx, input));
