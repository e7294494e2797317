import { Readiness, ReadinessRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Whether an import supplier's migration can be called complete (behaviour 24.2). */
export const readReadiness = staffProcedure
  .input(ReadinessRequest)
  .output(Readiness)
  .query(({ ctx, input }) => domain.readReadiness(ctx, input));
