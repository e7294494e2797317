import { ImportSupplier, UpdateImportSupplierRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Changes an import supplier's configuration (design 7). */
export const updateImportSupplier = staffProcedure
  .input(UpdateImportSupplierRequest)
  .output(ImportSupplier)
  .mutation(({ ctx, input }) => domain.updateImportSupplier(ctx, input));
