import { ListAccountImportsRequest, ListAccountImportsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.11. */
export const listImportedAccounts = supplierProcedure(ListAccountImportsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/imported-account-import-processes/{import_supplier_code}/',
      operationId: 'listImportedAccounts',
      tags: ['Status'],
      summary: 'List imported accounts',
      description:
        'The accounts that have been created, with their numbers and the time of their creation. Oldest staged ' +
        'first. Without `limit` the whole list is streamed; with it you get one page, and a `Link` header while there may be more.',
      successDescription: 'The imported accounts.',
    },
    streamed: 'listImportedAccounts',
    errors: ['import_supplier_does_not_exist', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListAccountImportsResponse))
  .query(({ ctx, input }) => domain.listImportedAccounts(ctx, input));
