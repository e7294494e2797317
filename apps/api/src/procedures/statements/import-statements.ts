import { ImportStatementsRequest, ImportStatementsResponse } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { faultsOfIdentifiers, STATEMENTS_CHECKS, statementIdsIn } from '@causeway/rules';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 4.6. */
export const importStatements = supplierProcedure(ImportStatementsRequest, {
  ...STATEMENTS_CHECKS,
  names: (_, input) => faultsOfIdentifiers(statementIdsIn(input)),
})
  .meta({
    openapi: {
      method: 'POST',
      path: '/v1/data-import/historical-statements/create/',
      tags: ['Account data'],
      summary: 'Import historical statements',
      description:
        'Adds the records of past statements to an imported account, all or none; the PDF files themselves are already in ' +
        'object storage. The same statement again changes nothing: sending the same request again is harmless.',
      successDescription: 'The statements are stored: the validated data.',
    },
    successStatus: 201,
    operation: 'statements',
    errors: [
      'import_supplier_does_not_exist',
      'dry_run_rolled_back',
      'account_erased',
      'account_not_found',
      'historical_statement_already_exists',
    ],
  })
  .output(answers(ImportStatementsResponse))
  .mutation(({ ctx, input }) => domain.importStatements(ctx, input));
