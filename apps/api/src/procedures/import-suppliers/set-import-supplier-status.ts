import { ImportSupplier, SetImportSupplierStatusRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Pauses, resumes, completes or reopens an import supplier (specification 3.2, design 7). */
export const setImportSupplierStatus = staffProcedure
  .input(SetImportSupplierStatusRequest)
  .output(ImportSupplier)
  .mutation(({ ctx, input }) => domain.setImportSupplierStatus(ctx, input));
