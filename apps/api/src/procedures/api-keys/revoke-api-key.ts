import { ApiKey, RevokeApiKeyRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** Revokes an API key: at once on this instance, within 5 seconds on every other (behaviour 14.3). */
export const revokeApiKey = staffProcedure
  .input(RevokeApiKeyRequest)
  .output(ApiKey)
  .mutation(async ({ ctx, input }) => {
    const revoked = await domain.revokeApiKey(ctx, input);
    ctx.forgetApiKey(input.id);
    return revoked;
  });
