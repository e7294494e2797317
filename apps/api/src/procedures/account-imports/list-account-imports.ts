import { ListAccountImportsRequest, ListAccountImportsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.9. */
export const listAccountImports = supplierProcedure(ListAccountImportsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/all-account-import-processes/{import_supplier_code}/',
      tags: ['Status'],
      summary: 'List all account imports',
      description:
        'Every account that was staged for the import supplier, pending, skipped and created alike, oldest staged ' +
        'first.',
      successDescription: 'The account imports.',
    },
    list: 'listAccountImports',
    errors: ['import_supplier_does_not_exist', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListAccountImportsResponse))
  .query(answerPage(domain.listAccountImports));
