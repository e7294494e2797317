import { CreateOrganisationRequest, CreateOrganisationResponse } from '@causeway/contracts';
import { createOrganisation as create } from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Creates an organisation, a migrating party (design 7). */
export const createOrganisation = staffProcedure
  .input(CreateOrganisationRequest)
  .output(CreateOrganisationResponse)
  .mutation(({ ctx, input }) => create(ctx, input));
