import { type CausewayClient, eachRecord, refusalOf } from '@causeway/client';
import { moveWithHistory } from './move-with-history.ts';

/**
 * What the service team does on the day of a migration, typed from end to end: sets up an import supplier, sees an
 * account arrive with its history, finds out why another one fails, and pauses the migration until it is fixed.
 * Returns what it would tell the operator.
 */
export async function watchMigration(client: CausewayClient, code: string): Promise<string[]> {
  const lines: string[] = [];
  const organisation = await client.organisations.create.mutate({ name: `Northwind Energy ${code}` });
  const supplier = await client.importSuppliers.create.mutate({
    code,
    name: 'Northwind, spring migration',
    organisation_id: organisation.id,
    process_concurrency_limit: 40,
    // What this supplier's export needs: see the guide of /docs, Strict and lenient import suppliers.
    balance_check: 'REFUSE',
    account_types: ['FARM'],
    empty_means_omitted: true,
  });
  lines.push(`${supplier.code} is ${supplier.status}`);
  lines.push(await moveWithHistory(client, { code, organisation_id: organisation.id }));
  lines.push(await processForAnUnknownTeam(client, code));

  // What was refused and has not succeeded since, over all accounts of the supplier.
  for (const problem of await client.dataImport.listProblems.query({ import_supplier_code: code })) {
    const { accounts, operation, code: why, sample_account_numbers } = problem;
    lines.push(`problem of ${accounts} account: ${operation}, ${why}, such as ${sample_account_numbers[0]}`);
  }

  const paused = await client.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
  lines.push(`${paused.code} is ${paused.status}`);
  // However many there are: page after page.
  for await (const failed of eachRecord(client.accountImports.list, { code, state: 'FAILED' })) {
    const { external_account_number, last_error } = failed;
    const subject = 'account_import';
    const trail = await client.audit.list.query({ subject, code, external_account_number });
    lines.push(
      `${external_account_number} failed: ${last_error?.code}; ${trail.map(({ action }) => action).join(', ')}`,
    );
  }
  return lines;
}

/** The supplier stages an account and processes it for a team that nobody has created. */
async function processForAnUnknownTeam(client: CausewayClient, code: string): Promise<string> {
  const account = { import_supplier_code: code, external_account_number: 'NW-1' };
  await client.dataImport.stageAccount.mutate({
    import_supplier: code,
    external_account_number: account.external_account_number,
    customers: [{ given_name: 'Siân', family_name: 'Llewellyn' }],
  });
  try {
    await client.dataImport.processAccount.mutate({ ...account, operations_team_name: 'Night shift' });
    return 'processing succeeded';
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      throw error;
    }
    return `processing was refused with ${refusal.status} ${refusal.code}`;
  }
}
