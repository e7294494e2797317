import { createCausewayClient } from './causeway-client.ts';
import { moveAccount } from './move-account.ts';

// node src/main.ts, with these set. Makes one account with its history, and says what happened to it and what is stored.
const { CAUSEWAY_URL: url = 'http://127.0.0.1:3000', API_KEY, IMPORT_SUPPLIER, OPERATIONS_TEAM } = process.env;
if (API_KEY === undefined || IMPORT_SUPPLIER === undefined || OPERATIONS_TEAM === undefined) {
  throw new Error('Set API_KEY, IMPORT_SUPPLIER and OPERATIONS_TEAM.');
}
const client = createCausewayClient({ url, apiKey: API_KEY });
const account = {
  import_supplier: IMPORT_SUPPLIER,
  external_account_number: `EXAMPLE-${Date.now()}`,
  customers: [{ given_name: 'Zoë', family_name: 'Hartley' }],
  // The history comes with the account: it is validated, staged and created with it.
  notes: [{ body: 'Asked for a paper bill.' }],
  transactions: [
    {
      transaction_id: 'T-1',
      transaction_date: new Date().toISOString().slice(0, 10),
      type: 'PAYMENT' as const,
      amount: '28.34',
      payment_type: 'DD_REGULAR_COLLECTION',
    },
  ],
};
const outcome = await moveAccount(client, account, OPERATIONS_TEAM);

const path = { import_supplier_code: IMPORT_SUPPLIER, external_account_number: account.external_account_number };
const { data: status } = await client.GET(
  '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  { params: { path } },
);
// Compare the figures with your own before you report a migration as finished, and look at the problems.
const { data: stored } = await client.GET(
  '/v1/data-import/accounts/{import_supplier_code}/{external_account_number}/',
  { params: { path } },
);
const { data: problems } = await client.GET('/v1/data-import/problems/{import_supplier_code}/', {
  params: { path: { import_supplier_code: IMPORT_SUPPLIER } },
});
const said = { account: account.external_account_number, ...outcome, ...status };
const held = { complete: stored?.complete, figures: stored?.figures, problems };
process.stdout.write(`${JSON.stringify({ ...said, ...held })}\n`);
