import { CreateImportSupplierRequest, ImportSupplier } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Creates an import supplier for an organisation (behaviour 1.4, 14.4). */
export const createImportSupplier = staffProcedure
  .input(CreateImportSupplierRequest)
  .output(ImportSupplier)
  .mutation(({ ctx, input }) => domain.createImportSupplier(ctx, input));
