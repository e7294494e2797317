import { ImportNotesRequest, ImportNotesResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { NOTES_CHECKS } from '@causeway/rules';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.4. */
export const importNotes = supplierProcedure(ImportNotesRequest, NOTES_CHECKS)
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/notes/create/',
      tags: ['Account data'],
      summary: 'Import notes',
      description:
        'Adds notes to an imported account, all or none. A note that the account already has (the same `external_id`; ' +
        'without one the same body, and the same `created_at` if present; for a note without a body, the same documents) ' +
        'is not added again: sending the same request again is harmless. If it was sent with other values, ' +
        '`differences` names them.',
      successDescription: 'For each note, in order, whether it was created or already existed.',
    },
    successStatus: 201,
    operation: 'notes',
    errors: ['import_supplier_does_not_exist', 'dry_run_rolled_back', 'account_erased', 'account_not_found'],
    notFound: ['account_not_found'],
  })
  .output(answers(ImportNotesResponse))
  .mutation(({ ctx, input }) => domain.importNotes(ctx, input));
