import {
  AccountTimelineRequest,
  AccountTimelineResponse,
  AdoptAccountsRequest,
  AdoptAccountsResponse,
  EraseAccountRequest,
  MaskedAccount,
  ReadMaskedAccountRequest,
  StaffAccountImport,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-pages.ts';
import { staffProcedure } from '../procedure.ts';

/** Accounts, beside what suppliers read of them. */
export const accounts = {
  /** What is stored of one account, without personal data (behaviour 14.8.6). */
  getMasked: staffProcedure
    .input(ReadMaskedAccountRequest)
    .output(MaskedAccount)
    .query(({ ctx, input }) => domain.getMaskedAccount(ctx, input)),

  /** What happened to an account import, accepted and refused (behaviour 4.16.9). */
  timeline: staffProcedure
    .input(AccountTimelineRequest)
    .output(AccountTimelineResponse)
    .query(answerRecords(domain.accountTimeline, ({ position }) => position)),

  /** Says that the platform uses accounts, which are not undone from then on (behaviour 30.2). */
  adopt: staffProcedure
    .input(AdoptAccountsRequest)
    .output(AdoptAccountsResponse)
    .mutation(({ ctx, input }) => domain.adoptAccounts(ctx, input)),

  /** Permanently erases the personal data of an account (behaviour 14.8). */
  erase: staffProcedure
    .input(EraseAccountRequest)
    .output(StaffAccountImport)
    .mutation(({ ctx, input }) => domain.eraseAccount(ctx, input)),
};
