import { OwnImportSupplier, OwnImportSupplierRequest } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { answers, supplierProcedure } from '../procedure.ts';

/** Behaviour 21.6. */
export const ownImportSupplier = supplierProcedure(OwnImportSupplierRequest)
  .meta({
    openapi: {
      method: 'GET',
      path: '/v1/data-import/import-suppliers/{import_supplier_code}/',
      tags: ['Status'],
      summary: 'Read import supplier',
      description: 'Whether an import supplier accepts accounts now, and the settings by which they are checked.',
      successDescription: 'The import supplier.',
    },
    errors: ['import_supplier_does_not_exist'],
    notFound: ['import_supplier_does_not_exist'],
  })
  .output(answers(OwnImportSupplier))
  .query(({ ctx, input }) => domain.getOwnImportSupplier(ctx, input));
