import { CreateManifestRequest, Manifest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 22.1. */
export const createManifest = supplierProcedure(CreateManifestRequest)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/manifests/',
      tags: ['Reconciliation'],
      summary: 'Create manifest',
      description:
        'Lodges what the source has altogether. The manifest is OPEN: upload a line for each account, then seal it. Do ' +
        'this before you move the accounts: the manifest says whether it was.',
      successDescription: 'The manifest, which is OPEN.',
    },
    successStatus: 201,
    errors: ['import_supplier_does_not_exist', 'too_many_manifests'],
  })
  .output(answers(Manifest))
  .mutation(({ ctx, input }) => domain.createManifest(ctx, input));
