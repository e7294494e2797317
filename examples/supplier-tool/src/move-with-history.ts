import type { CausewayClient } from '@causeway/client';

interface Destination {
  code: string;
  organisation_id: string;
}

/** Stages an account with its history, creates both, and reads back what is stored: returns its figures. */
export async function moveWithHistory(client: CausewayClient, { code, organisation_id }: Destination): Promise<string> {
  const account = { import_supplier_code: code, external_account_number: 'NW-2' };
  await client.dataImport.stageAccount.mutate({
    import_supplier: code,
    external_account_number: account.external_account_number,
    account_type: 'FARM',
    customers: [{ given_name: 'Aneirin', family_name: 'Llewellyn' }],
    last_billed_to_date: '2026-02-28',
    last_statement_balance: '28.34',
    transfer_balance: '-48.20',
    historical_transactions: [
      { transaction_id: 'T-1', transaction_date: '2026-02-14', type: 'PAYMENT', amount: '28.34', payment_type: 'DD' },
    ],
    transactions: [
      { transaction_id: 'T-2', transaction_date: '2026-03-05', type: 'CHARGE', amount: '76.54', reason: 'LATE' },
    ],
    notes: [{ body: 'Asked for a paper bill.' }],
  });
  const team = await client.operationsTeams.create.mutate({ name: `Day shift ${code}`, organisation_id });
  await client.dataImport.processAccount.mutate({ ...account, operations_team_name: team.name });

  const { complete, figures } = await client.accounts.get.query(account);
  const { transactions, notes } = figures;
  const stored = `${transactions.count} transactions of ${transactions.sum} and ${notes} note`;
  return `${account.external_account_number} is ${complete ? 'complete' : 'incomplete'}: ${stored}`;
}
