import { ListImportSuppliersRequest, ListImportSuppliersResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** The import suppliers (design 7). */
export const listImportSuppliers = staffProcedure
  .input(ListImportSuppliersRequest)
  .output(ListImportSuppliersResponse)
  .query(({ ctx, input }) => domain.listImportSuppliers(ctx, input));
