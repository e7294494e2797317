import { IssueApiKeyRequest, IssuedApiKey } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Issues an API key to an organisation; the answer is the only one that shows it (behaviour 14.3). */
export const issueApiKey = staffProcedure
  .input(IssueApiKeyRequest)
  .output(IssuedApiKey)
  .mutation(({ ctx, input }) => domain.issueApiKey(ctx, input));
