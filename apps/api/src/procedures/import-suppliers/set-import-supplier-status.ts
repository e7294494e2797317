import { ImportSupplier, SetImportSupplierStatusRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Pauses, resumes, completes or reopens an import supplier (behaviour 3.2, 14.4). */
export const setImportSupplierStatus = staffProcedure
  .input(SetImportSupplierStatusRequest)
  .output(ImportSupplier)
  .mutation(({ ctx, input }) => domain.setImportSupplierStatus(ctx, input));
