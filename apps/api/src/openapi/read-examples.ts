import { AccountFigures, AccountPayload, asStored, Statement, Transaction } from '@causeway/contracts';
import {
  chargeAndPayment,
  exampleDocument,
  exampleNote,
  exampleProblems,
  exampleStatement,
  outsideOpenPeriod,
  supplyCharge,
} from './example-data.ts';

const NOW = '2026-04-17T09:30:12Z';
const MOVED =
  'The original date 2026-01-31 lies outside the open statement period (2026-03-01 to 2026-04-17); the transaction was ' +
  'added on 2026-03-01.';

const moved = {
  ...outsideOpenPeriod,
  transaction_date: '2026-03-01',
  original_transaction_date: outsideOpenPeriod.transaction_date,
  description: MOVED,
};
const [charge, payment] = chargeAndPayment;
const instruction = {
  vendor: 'STRIPE',
  reference: 'pm_1NqkLXJ2eZvKYlo2',
  type: 'CARD',
  details: {
    payment_method: 'pm_1NqkLXJ2eZvKYlo2',
    brand: 'visa',
    last4: '4242',
    exp_month: 8,
    exp_year: 2030,
  },
};

const transactions = [moved, supplyCharge, charge, payment].map((sent) => asStored(Transaction, sent));
const notes = [
  { position: 1, ...exampleNote, is_archived: false },
  { position: 2, ...exampleDocument, created_at: NOW, is_pinned: false, is_archived: false },
  {
    position: 3,
    body:
      '1 transaction was moved into the open statement period (2026-03-01 to 2026-04-17):\n' +
      `Transaction ${outsideOpenPeriod.transaction_id}: sent with 2026-01-31, added on 2026-03-01.`,
    created_at: NOW,
    is_pinned: true,
    is_archived: false,
    is_generated: true as const,
  },
];

const household = {
  import_supplier: 'NORTHWIND-2026',
  external_account_number: 'NW-0001482',
  state: 'COMPLETED',
  service_account_number: 'A-7K3M9QXT',
  operations_team_name: 'Migration support',
  transfer_balance: '-48.20',
  staged_at: NOW,
  account_created_at: NOW,
  erased_at: null,
  complete: true,
  refusals: [],
  figures: AccountFigures.meta()?.examples?.[0],
  account: asStored(AccountPayload, AccountPayload.meta()?.examples?.[0]),
  undocumented_fields: [],
};

const staged = {
  import_supplier: 'NORTHWIND-2026',
  external_account_number: 'NW-0001483',
  state: 'STAGED',
  service_account_number: null,
  operations_team_name: null,
  transfer_balance: null,
  staged_at: NOW,
  account_created_at: null,
  erased_at: null,
  complete: false,
  refusals: [],
  figures: {
    transactions: {
      count: 0,
      sum: '0.00',
      by_type: Object.fromEntries(
        ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'].map((type) => [type, { count: 0, sum: '0.00' }]),
      ),
    },
    notes: 0,
    statements: { count: 0, gross_total: '0.00' },
    payment_instructions: 0,
  },
  account: {
    import_supplier: 'NORTHWIND-2026',
    external_account_number: 'NW-0001483',
    account_type: 'DOMESTIC',
    communication_preference: 'ONLINE',
    customers: [{ given_name: 'Idris', family_name: 'Okafor' }],
  },
  undocumented_fields: [],
};

const one = (summary: string, value: unknown) => ({ responses: { 200: { stored: { summary, value } } } });

/** What the other examples have stored, read back. */
export const READ_EXAMPLES = {
  listProblems: { responses: { 200: { list: { summary: 'One refused, one reported', value: exampleProblems } } } },
  getAccount: {
    responses: {
      200: {
        created: { summary: 'A household with electricity', value: household },
        staged: { summary: 'Staged, not created', value: staged },
      },
    },
  },
  listAccountNotes: one('Two that were sent, and one that the service wrote', notes),
  listAccountTransactions: one('Four, the first with another date than was sent', transactions),
  listAccountStatements: one('One statement', [asStored(Statement, exampleStatement)]),
  getPaymentInstruction: one('A card that Stripe holds', instruction),
  listPaymentInstructions: one('A card that Stripe holds', [instruction]),
};
