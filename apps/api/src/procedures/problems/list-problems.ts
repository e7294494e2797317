import { ListProblemsRequest, ListProblemsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.15. */
export const listProblems = supplierProcedure(ListProblemsRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/problems/{import_supplier_code}/',
      tags: ['Status'],
      summary: 'List problems',
      description:
        'Refusals that nothing has corrected since, by operation, kind of problem and field, with the number of ' +
        'accounts and a few of their numbers. A problem disappears for an account when the same request succeeds for ' +
        'it. Problems with `refused: false` are reported of requests that succeeded. E-mails to customers that were not ' +
        'delivered are not among them: no request can fix them, and the service team has a list of its own.',
      successDescription: 'The problems, those of most accounts first.',
    },
    errors: ['import_supplier_does_not_exist', 'request_failed_validation'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(ListProblemsResponse))
  .query(({ ctx, input }) => domain.listProblems(ctx, input));
