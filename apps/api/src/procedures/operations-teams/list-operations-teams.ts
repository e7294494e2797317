import { ListOperationsTeamsRequest, ListOperationsTeamsResponse } from '@causeway/contracts';
import { listOperationsTeams as list } from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The operations teams (design 7). */
export const listOperationsTeams = staffProcedure
  .input(ListOperationsTeamsRequest)
  .output(ListOperationsTeamsResponse)
  .query(({ ctx, input }) => list(ctx, input));
