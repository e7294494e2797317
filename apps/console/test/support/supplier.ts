import { randomUUID } from 'node:crypto';
import { type CausewayClient, createClient } from '@causeway/client';
import { service } from './open-console.ts';

/** An organisation with a key, an import supplier and an operations team, on the shared service. */
export interface TestSupplier {
  code: string;
  team: string;
  staff: CausewayClient;
  /** As the supplier's own program. */
  supplier: CausewayClient;
  /** Stages an account, and creates it if its name is good; whatever the service says. */
  move(number: string, options?: { isRefused?: boolean; isCreated?: boolean }): Promise<void>;
}

export async function createSupplier(): Promise<TestSupplier> {
  const { url, staffApiKey } = service;
  const staff = createClient({ url, apiKey: staffApiKey });
  const unique = randomUUID().slice(0, 8).toUpperCase();
  const { id: organisation_id } = await staff.organisations.create.mutate({ name: `Organisation ${unique}` });
  const { api_key: apiKey } = await staff.apiKeys.issue.mutate({ organisation_id, label: 'test' });
  const code = `SUPPLIER-${unique}`;
  await staff.importSuppliers.create.mutate({
    name: `Supplier ${unique}`,
    code,
    organisation_id,
    country: 'GB',
    document_root: unique,
  });
  const { name: team } = await staff.operationsTeams.create.mutate({ name: `Team ${unique}`, organisation_id });
  const supplier = createClient({ url, apiKey });
  return {
    ...{ code, team, staff, supplier },
    async move(number, { isRefused = false, isCreated = true } = {}) {
      const key = { import_supplier: code, external_account_number: number };
      const landline = isRefused ? { landline: '0113 496 01234' } : {};
      const staged = supplier.dataImport.stageAccount.mutate({
        ...key,
        customers: [{ family_name: 'Hartley', ...landline }],
      });
      if (isRefused) return void (await staged.catch(() => undefined));
      await staged;
      if (!isCreated) return;
      const { dataImport } = supplier;
      await dataImport.processAccount.mutate({
        ...{ import_supplier_code: code, external_account_number: number, operations_team_name: team },
      });
    },
  };
}
