import { ReadAccountStatementsRequest, ReadAccountStatementsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.16. */
export const listAccountStatements = supplierProcedure(ReadAccountStatementsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/statements/',
      operationId: 'listAccountStatements',
      tags: ['Reading back'],
      summary: 'Read statements',
      description: 'The historical statements of an account as they are stored, ordered by `statement_id`.',
      successDescription: 'The statements.',
    },
    list: 'pages',
    errors: ['import_supplier_does_not_exist', 'account_not_found', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(answers(ReadAccountStatementsResponse))
  .query(answerPage(domain.listAccountStatements));
