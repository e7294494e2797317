import { createCausewayClient } from './causeway-client.ts';
import { moveAccount } from './move-account.ts';

// node src/main.ts, with these set. Makes one account and says what became of it.
const { CAUSEWAY_URL: url = 'http://127.0.0.1:3000', API_KEY, IMPORT_SUPPLIER, OPERATIONS_TEAM } = process.env;
if (API_KEY === undefined || IMPORT_SUPPLIER === undefined || OPERATIONS_TEAM === undefined) {
  throw new Error('Set API_KEY, IMPORT_SUPPLIER and OPERATIONS_TEAM.');
}
const client = createCausewayClient({ url, apiKey: API_KEY });
const account = {
  import_supplier: IMPORT_SUPPLIER,
  external_account_number: `EXAMPLE-${Date.now()}`,
  customers: [{ given_name: 'Zoë', family_name: 'Hartley' }],
};
const outcome = await moveAccount(client, account, OPERATIONS_TEAM);

const { data: status } = await client.GET(
  '/v1/data-import/account-transfer-status/{import_supplier_code}/{external_account_number}/',
  {
    params: {
      path: { import_supplier_code: IMPORT_SUPPLIER, external_account_number: account.external_account_number },
    },
  },
);
process.stdout.write(`${JSON.stringify({ account: account.external_account_number, ...outcome, ...status })}\n`);
