import { ListAccountImportsRequest, ListAccountImportsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.10. */
export const listPendingImports = supplierProcedure(ListAccountImportsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/pending-account-import-processes/{import_supplier_code}/',
      tags: ['Status'],
      summary: 'List pending imports',
      description:
        'The accounts that can still be created: staged, or failed at their last attempt. Oldest staged ' + 'first.',
      successDescription: 'The pending account imports; their numbers and creation times are null.',
    },
    list: 'listPendingImports',
    errors: ['import_supplier_does_not_exist', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListAccountImportsResponse))
  .query(answerPage(domain.listPendingImports));
