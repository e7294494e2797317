import { Manifest, ManifestRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 22.3. */
export const sealManifest = supplierProcedure(ManifestRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/manifests/{manifest_id}/seal/',
      tags: ['Reconciliation'],
      summary: 'Seal manifest',
      description:
        'Checks that the lines add up to the totals, figure by figure, and fixes the digest: nothing of the manifest ' +
        'changes any more. Send an empty object.',
      successDescription: 'The manifest, which is SEALED.',
    },
    errors: [
      'manifest_does_not_exist',
      'manifest_state_not_allowed',
      'manifest_contradicts_itself',
      'bulk_parts_missing',
    ],
  })
  .output(answers(Manifest))
  .mutation(({ ctx, input }) => domain.sealManifest(ctx, input));
