import {
  ApiKey,
  IssueApiKeyRequest,
  IssuedApiKey,
  IssueStaffApiKeyRequest,
  ListApiKeysRequest,
  ListApiKeysResponse,
  RevokeApiKeyRequest,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerRecords } from '../answer-pages.ts';
import { staffProcedure } from '../procedure.ts';

/** API keys (behaviour 14.3). */
export const apiKeys = {
  /** Issues an API key to an organisation; the answer is the only one that shows it (behaviour 14.3). */
  issue: staffProcedure
    .input(IssueApiKeyRequest)
    .output(IssuedApiKey)
    .mutation(({ ctx, input }) => domain.issueApiKey(ctx, input)),

  /** Issues an API key to the service team; the answer is the only one that shows it (behaviour 14.3). */
  issueStaff: staffProcedure
    .input(IssueStaffApiKeyRequest)
    .output(IssuedApiKey)
    .mutation(({ ctx, input }) => domain.issueStaffApiKey(ctx, input)),

  /** Revokes an API key: at once on this instance, within 5 seconds on every other (behaviour 14.3). */
  revoke: staffProcedure
    .input(RevokeApiKeyRequest)
    .output(ApiKey)
    .mutation(async ({ ctx, input }) => {
      const revoked = await domain.revokeApiKey(ctx, input);
      ctx.forgetApiKey(input.id);
      return revoked;
    }),

  /** The API keys, without the keys themselves (behaviour 14.3). */
  list: staffProcedure
    .input(ListApiKeysRequest)
    .output(ListApiKeysResponse)
    .query(answerRecords(domain.listApiKeys, ({ id }) => id)),
};
