import { ReadAccountTransactionsRequest, ReadAccountTransactionsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answerPage } from '../answer-pages.ts';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.16. */
export const listAccountTransactions = supplierProcedure(ReadAccountTransactionsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/transactions/',
      operationId: 'listAccountTransactions',
      tags: ['Reading back'],
      summary: 'Read transactions',
      description:
        'The transactions of an account as they are stored, ordered by `transaction_id`. One whose date was moved has the day that was ' +
        'sent in `original_transaction_date`.',
      successDescription: 'The transactions.',
    },
    list: 'pages',
    errors: ['import_supplier_does_not_exist', 'account_not_found', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist', 'account_not_found'],
  })
  .output(answers(ReadAccountTransactionsResponse))
  .query(answerPage(domain.listAccountTransactions));
