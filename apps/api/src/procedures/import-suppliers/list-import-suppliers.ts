import { ListImportSuppliersRequest, ListImportSuppliersResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-records.ts';
import { staffProcedure } from '../procedure.ts';

/** The import suppliers (behaviour 14.4). */
export const listImportSuppliers = staffProcedure
  .input(ListImportSuppliersRequest)
  .output(ListImportSuppliersResponse)
  .query(answerRecords(domain.listImportSuppliers, ({ code }) => code));
