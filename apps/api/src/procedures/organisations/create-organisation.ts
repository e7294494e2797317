import { CreateOrganisationRequest, CreateOrganisationResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Creates an organisation, a migrating party (behaviour 14.2). */
export const createOrganisation = staffProcedure
  .input(CreateOrganisationRequest)
  .output(CreateOrganisationResponse)
  .mutation(({ ctx, input }) => domain.createOrganisation(ctx, input));
