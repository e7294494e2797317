import { Manifest, WithdrawManifestRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 22.4. */
export const withdrawManifest = supplierProcedure(WithdrawManifestRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/manifests/{manifest_id}/withdraw/',
      tags: ['Reconciliation'],
      summary: 'Withdraw manifest',
      description:
        'Withdraws a manifest that was wrong, sealed or not: nothing is compared with it any more. Reconciliations that ' +
        'have ended keep what they say, and so do their reports. Send a `reason`, or an empty object.',
      successDescription: 'The manifest, which is WITHDRAWN.',
    },
    errors: ['manifest_does_not_exist'],
  })
  .output(answers(Manifest))
  .mutation(({ ctx, input }) => domain.withdrawManifest(ctx, input));
