import { ImportSupplier, UpdateImportSupplierRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Changes an import supplier's configuration (behaviour 14.4). */
export const updateImportSupplier = staffProcedure
  .input(UpdateImportSupplierRequest)
  .output(ImportSupplier)
  .mutation(({ ctx, input }) => domain.updateImportSupplier(ctx, input));
