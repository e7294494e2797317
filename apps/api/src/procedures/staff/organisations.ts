import {
  CreateOperationsTeamRequest,
  CreateOrganisationRequest,
  CreateOrganisationResponse,
  ListOperationsTeamsRequest,
  ListOperationsTeamsResponse,
  ListOrganisationsRequest,
  ListOrganisationsResponse,
  OperationsTeam,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-pages.ts';
import { staffProcedure } from '../procedure.ts';

/** Organisations (behaviour 14.2). */
export const organisations = {
  /** Creates an organisation, a migrating party (behaviour 14.2). */
  create: staffProcedure
    .input(CreateOrganisationRequest)
    .output(CreateOrganisationResponse)
    .mutation(({ ctx, input }) => domain.createOrganisation(ctx, input)),

  /** The organisations (behaviour 14.2). */
  list: staffProcedure
    .input(ListOrganisationsRequest)
    .output(ListOrganisationsResponse)
    .query(answerRecords(domain.listOrganisations, ({ id }) => id)),
};

/** Operations teams. */
export const operationsTeams = {
  /** Creates an operations team to which accounts can be linked (behaviour 14.5). */
  create: staffProcedure
    .input(CreateOperationsTeamRequest)
    .output(OperationsTeam)
    .mutation(({ ctx, input }) => domain.createOperationsTeam(ctx, input)),

  /** The operations teams (behaviour 14.5). */
  list: staffProcedure
    .input(ListOperationsTeamsRequest)
    .output(ListOperationsTeamsResponse)
    .query(answerRecords(domain.listOperationsTeams, ({ id }) => id)),
};
