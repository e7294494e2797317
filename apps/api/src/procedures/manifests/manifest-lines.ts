import { ManifestLinesRequest, ManifestLinesResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 22.4. */
export const manifestLines = supplierProcedure(ManifestLinesRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/manifests/{manifest_id}/lines/',
      tags: ['Reconciliation'],
      summary: 'Read lines of manifest',
      description:
        'The lines as they are stored, each amount with two decimals, always in the same order, which is not that of the ' +
        'upload. Those of a manifest that is withdrawn are gone.',
      successDescription: 'The lines.',
    },
    list: 'lines',
    errors: ['manifest_does_not_exist', 'manifest_state_not_allowed'],
  })
  .output(answers(ManifestLinesResponse))
  .query(answerPage(domain.listManifestLines));
