import { IssuedApiKey, IssueStaffApiKeyRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Issues an API key to the service team; the answer is the only one that shows it (behaviour 14.3). */
export const issueStaffApiKey = staffProcedure
  .input(IssueStaffApiKeyRequest)
  .output(IssuedApiKey)
  .mutation(({ ctx, input }) => domain.issueStaffApiKey(ctx, input));
