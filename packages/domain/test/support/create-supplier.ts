import { CreateImportSupplierRequest } from '@causeway/contracts';
import { createImportSupplier } from '../../src/import-suppliers/create-import-supplier.ts';
import { createOperationsTeam } from '../../src/organisations/operations-teams.ts';
import { createOrganisation } from '../../src/organisations/organisations.ts';
import type { Context } from '../../src/shared/context.ts';

/** An organisation with an import supplier, and an operations team if it is named. */
export async function createSupplier(context: Context, code: string, team?: string): Promise<void> {
  const { id: organisation_id } = await createOrganisation(context, { name: 'Northwind' });
  await createImportSupplier(context, CreateImportSupplierRequest.parse({ code, name: 'Northwind', organisation_id }));
  if (team !== undefined) await createOperationsTeam(context, { name: team });
}
