import { type CausewayClient, refusalOf } from '@causeway/client';

/**
 * What the service team does on the day of a migration, typed from end to end: sets up an import supplier, finds out
 * why an account fails, and pauses the migration until it is mended. Returns what it would tell the operator.
 */
export async function watchMigration(client: CausewayClient, code: string): Promise<string[]> {
  const lines: string[] = [];
  const organisation = await client.organisations.create.mutate({ name: `Northwind Energy ${code}` });
  const supplier = await client.importSuppliers.create.mutate({
    code,
    name: 'Northwind, spring migration',
    organisation_id: organisation.id,
    process_concurrency_limit: 40,
  });
  lines.push(`${supplier.code} is ${supplier.status}`);

  // The supplier stages an account and processes it for a team that nobody has created.
  const account = { import_supplier_code: code, external_account_number: 'NW-1' };
  await client.dataImport.stageAccount.mutate({
    import_supplier: code,
    external_account_number: account.external_account_number,
    customers: [{ given_name: 'Siân', family_name: 'Llewellyn' }],
  });
  try {
    await client.dataImport.processAccount.mutate({ ...account, operations_team_name: 'Night shift' });
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) {
      throw error;
    }
    lines.push(`processing was refused with ${refusal.status} ${refusal.code}`);
  }

  const paused = await client.importSuppliers.setStatus.mutate({ code, status: 'PAUSED' });
  lines.push(`${paused.code} is ${paused.status}`);
  for (const failed of await client.accountImports.list.query({ code, state: 'FAILED' })) {
    const { external_account_number, last_error } = failed;
    const subject = 'account_import';
    const trail = await client.audit.list.query({ subject, code, external_account_number });
    lines.push(
      `${external_account_number} failed: ${last_error?.code}; ${trail.map(({ action }) => action).join(', ')}`,
    );
  }
  return lines;
}
