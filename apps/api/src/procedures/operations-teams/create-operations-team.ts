import { CreateOperationsTeamRequest, OperationsTeam } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Creates an operations team to which accounts can be linked (behaviour 14.5). */
export const createOperationsTeam = staffProcedure
  .input(CreateOperationsTeamRequest)
  .output(OperationsTeam)
  .mutation(({ ctx, input }) => domain.createOperationsTeam(ctx, input));
