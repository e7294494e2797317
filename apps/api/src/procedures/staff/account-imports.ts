import {
  CountForSkipRequest,
  CountForSkipResponse,
  DismissRefusalRequest,
  DismissRefusalResponse,
  FindAccountImportsRequest,
  FindAccountImportsResponse,
  GetAccountImportRequest,
  ListByProblemRequest,
  ListByProblemResponse,
  SkipAccountImportRequest,
  SkipManyRequest,
  SkipManyResponse,
  StaffAccountImport,
  StaffAccountImportDetail,
  StaffListAccountImportsRequest,
  StaffListAccountImportsResponse,
  UndoAccountImportRequest,
  UndoAccountResponse,
  UnskipAccountImportRequest,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-pages.ts';
import { staffProcedure } from '../procedure.ts';

/** Account imports (behaviour 14.6). */
export const accountImports = {
  /** The account imports of one supplier, by state or by the beginning of a number (behaviour 14.6). */
  list: staffProcedure
    .input(StaffListAccountImportsRequest)
    .output(StaffListAccountImportsResponse)
    .query(answerRecords(domain.searchAccountImports, ({ external_account_number }) => external_account_number)),

  /** Finds account imports by what a customer can tell of them (behaviour 14.6.5). */
  find: staffProcedure
    .input(FindAccountImportsRequest)
    .output(FindAccountImportsResponse)
    .query(({ ctx, input }) => domain.findAccountImports(ctx, input)),

  /** The accounts that have one problem (behaviour 14.6.8). */
  listByProblem: staffProcedure
    .input(ListByProblemRequest)
    .output(ListByProblemResponse)
    .query(answerRecords(domain.listByProblem, ({ external_account_number }) => external_account_number)),

  /** One account import: the record, the payload, the audit trail (behaviour 14.6). */
  get: staffProcedure
    .input(GetAccountImportRequest)
    .output(StaffAccountImportDetail)
    .query(({ ctx, input }) => domain.getAccountImport(ctx, input)),

  /** Marks an account to be skipped (behaviour 4.2, 14.6). */
  skip: staffProcedure
    .input(SkipAccountImportRequest)
    .output(StaffAccountImport)
    .mutation(({ ctx, input }) => domain.skipAccountImport(ctx, input)),

  /** Makes a skipped account pending again (behaviour 14.6). */
  unskip: staffProcedure
    .input(UnskipAccountImportRequest)
    .output(StaffAccountImport)
    .mutation(({ ctx, input }) => domain.unskipAccountImport(ctx, input)),

  /** Takes an account back, with everything imported into it (behaviour 30.1). */
  undo: staffProcedure
    .input(UndoAccountImportRequest)
    .output(UndoAccountResponse)
    .mutation(({ ctx, input }) => domain.undoAccountImport(ctx, input)),

  /** Resolves a refusal of what is not to come (behaviour 14.6.10). */
  dismissRefusal: staffProcedure
    .input(DismissRefusalRequest)
    .output(DismissRefusalResponse)
    .mutation(({ ctx, input }) => domain.dismissRefusal(ctx, input)),

  /** How many accounts of a filter can be skipped (behaviour 14.6.7). */
  countForSkip: staffProcedure
    .input(CountForSkipRequest)
    .output(CountForSkipResponse)
    .query(({ ctx, input }) => domain.countForSkip(ctx, input)),

  /** Skips some of the accounts of a filter (behaviour 14.6.7). */
  skipMany: staffProcedure
    .input(SkipManyRequest)
    .output(SkipManyResponse)
    .mutation(({ ctx, input }) => domain.skipMany(ctx, input)),
};
