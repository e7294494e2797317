import { ImportSupplier, SetImportSupplierStatusRequest } from '@causeway/contracts';
import { setImportSupplierStatus as setStatus } from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Pauses, resumes, completes or reopens an import supplier (specification 3.2, design 7). */
export const setImportSupplierStatus = staffProcedure
  .input(SetImportSupplierStatusRequest)
  .output(ImportSupplier)
  .mutation(({ ctx, input }) => setStatus(ctx, input));
