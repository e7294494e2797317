import { FindAccountImportsRequest, FindAccountImportsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Finds account imports by what a customer can tell of them (behaviour 14.6.5). */
export const findAccountImports = staffProcedure
  .input(FindAccountImportsRequest)
  .output(FindAccountImportsResponse)
  .query(({ ctx, input }) => domain.findAccountImports(ctx, input));
