import {
  CreateImportSupplierRequest,
  DecideRemarkRequest,
  DecideRemarkResponse,
  GetImportSupplierRequest,
  ImportSupplier,
  ImportSupplierDetail,
  ListImportSuppliersRequest,
  ListImportSuppliersResponse,
  ListKeptFieldsRequest,
  ListKeptFieldsResponse,
  SetImportSupplierStatusRequest,
  UpdateImportSupplierRequest,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-pages.ts';
import { staffProcedure } from '../procedure.ts';

/** Import suppliers (behaviour 14.4). */
export const importSuppliers = {
  /** Creates an import supplier for an organisation (behaviour 1.4, 14.4). */
  create: staffProcedure
    .input(CreateImportSupplierRequest)
    .output(ImportSupplier)
    .mutation(({ ctx, input }) => domain.createImportSupplier(ctx, input)),

  /** Changes an import supplier's configuration (behaviour 14.4). */
  update: staffProcedure
    .input(UpdateImportSupplierRequest)
    .output(ImportSupplier)
    .mutation(({ ctx, input }) => domain.updateImportSupplier(ctx, input)),

  /** Pauses, resumes, completes or reopens an import supplier (behaviour 3.2, 14.4). */
  setStatus: staffProcedure
    .input(SetImportSupplierStatusRequest)
    .output(ImportSupplier)
    .mutation(({ ctx, input }) => domain.setImportSupplierStatus(ctx, input)),

  /** The import suppliers (behaviour 14.4). */
  list: staffProcedure
    .input(ListImportSuppliersRequest)
    .output(ListImportSuppliersResponse)
    .query(answerRecords(domain.listImportSuppliers, ({ code }) => code)),

  /** One import supplier, with its account imports counted by state (behaviour 14.4). */
  get: staffProcedure
    .input(GetImportSupplierRequest)
    .output(ImportSupplierDetail)
    .query(({ ctx, input }) => domain.getImportSupplier(ctx, input)),

  /** The undocumented fields that are kept of an import supplier's accounts, counted by path (behaviour 14.4). */
  keptFields: staffProcedure
    .input(ListKeptFieldsRequest)
    .output(ListKeptFieldsResponse)
    .query(({ ctx, input }) => domain.listKeptFields(ctx, input)),

  /** Decides about a kind of remark (behaviour 4.18.4). */
  decideRemark: staffProcedure
    .input(DecideRemarkRequest)
    .output(DecideRemarkResponse)
    .mutation(({ ctx, input }) => domain.decideRemark(ctx, input)),
};
