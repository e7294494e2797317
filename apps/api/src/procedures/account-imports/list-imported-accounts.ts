import { ListAccountImportsRequest, ListAccountImportsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.11. */
export const listImportedAccounts = supplierProcedure(ListAccountImportsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/imported-account-import-processes/{import_supplier_code}/',
      tags: ['Status'],
      summary: 'List imported accounts',
      description:
        'The accounts that have been created, with their numbers and the time of their creation. First ' +
        'created first.',
      successDescription: 'The imported accounts.',
    },
    list: 'listImportedAccounts',
    errors: ['import_supplier_does_not_exist', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListAccountImportsResponse))
  .query(answerPage(domain.listImportedAccounts));
