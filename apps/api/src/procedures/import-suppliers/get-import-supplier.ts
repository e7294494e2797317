import { GetImportSupplierRequest, ImportSupplierDetail } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** One import supplier, with its account imports counted by state (behaviour 14.4). */
export const getImportSupplier = staffProcedure
  .input(GetImportSupplierRequest)
  .output(ImportSupplierDetail)
  .query(({ ctx, input }) => domain.getImportSupplier(ctx, input));
