import { Manifest, ManifestRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 22.4. */
export const manifest = supplierProcedure(ManifestRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/manifests/{manifest_id}/',
      tags: ['Reconciliation'],
      summary: 'Read manifest',
      description: 'A manifest: its totals, what was received of it, and whether it is sealed.',
      successDescription: 'The manifest.',
    },
    errors: ['manifest_does_not_exist'],
  })
  .output(answers(Manifest))
  .query(({ ctx, input }) => domain.getManifest(ctx, input));
