import { ACCOUNT, household, smallest, unknownOccupier, withHistory } from './account-examples.ts';
import { BULK_EXAMPLES } from './bulk-examples.ts';
import { EVENT_EXAMPLES } from './event-examples.ts';
import {
  chargeAndPayment,
  exampleDocument,
  exampleNote,
  exampleStatement,
  outsideOpenPeriod,
  supplyCharge,
} from './example-data.ts';
import { MANIFEST_EXAMPLES } from './manifest-examples.ts';
import { READ_EXAMPLES } from './read-examples.ts';
import { RECONCILIATION_EXAMPLES } from './reconciliation-examples.ts';
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts';

type Examples = Record<string, { summary: string; value: unknown }>;

/**
 * The examples of an operation: of its request, and of its successes by status. A response has the name of its request.
 */
interface OperationExamples {
  request?: Examples;
  responses: Record<number, Examples>;
}

const SERVICE_ACCOUNT_NUMBER = 'A-7K3M9QXT';
const CREATED = { service_account_number: SERVICE_ACCOUNT_NUMBER, external_account_number: 'NW-0001482' };
const NOW = '2026-04-17T09:30:12Z';

const DEFAULTS = { account_type: 'DOMESTIC', communication_preference: 'ONLINE' };
const withDefaults = ({ summary, value }: { summary: string; value: object }) => ({
  summary: `${summary}, defaults filled in`,
  value: { ...value, ...DEFAULTS },
});

const processRequest = {
  external_account_number: ACCOUNT.external_account_number,
  import_supplier_code: ACCOUNT.import_supplier,
  operations_team_name: 'Migration support',
};
const noteResult = (status: string) => [
  { created_at: exampleNote.created_at, body: exampleNote.body, status },
  { created_at: NOW, body: null, status },
];
const added = ({ amount, ...transaction }: { amount: number }) => ({
  status: 'TRANSACTION_ADDED_TO_ACCOUNT',
  transaction_data: { ...transaction, amount: amount.toFixed(2) },
});
const statements = { ...ACCOUNT, statements: [exampleStatement] };

const created = {
  external_account_number: 'NW-0001482',
  service_account_number: SERVICE_ACCOUNT_NUMBER,
  account_created_at: NOW,
};
const pending = { external_account_number: 'NW-0001483', service_account_number: null, account_created_at: null };

/** By operationId. One story: the example account NW-0001482 at 09:30:12 on 17 April 2026, and its neighbours. */
export const EXAMPLES: Record<string, OperationExamples> = {
  validateAccount: {
    request: { household, smallest, unknown_occupier: unknownOccupier, with_history: withHistory },
    responses: {
      200: {
        ...{ household, smallest: withDefaults(smallest) },
        ...{ unknown_occupier: withDefaults(unknownOccupier), with_history: withDefaults(withHistory) },
      },
    },
  },
  stageAccount: {
    request: { household, smallest, unknown_occupier: unknownOccupier, with_history: withHistory },
    responses: {
      200: { household: { summary: 'Staged again', value: ACCOUNT } },
      201: {
        household: { summary: 'Staged for the first time', value: ACCOUNT },
        smallest: {
          summary: 'Another account, staged for the first time',
          value: { ...ACCOUNT, external_account_number: smallest.value.external_account_number },
        },
      },
    },
  },
  processAccount: {
    request: {
      create: { summary: 'Create the account', value: processRequest },
      dry_run: { summary: 'Try it and keep nothing', value: { ...processRequest, dry_run: true } },
    },
    responses: { 201: { create: { summary: 'Created', value: CREATED } } },
  },
  importNotes: {
    request: {
      notes: {
        summary: 'A pinned note, and a note that is a document',
        value: { ...ACCOUNT, notes: [exampleNote, exampleDocument] },
      },
    },
    responses: {
      201: {
        notes: { summary: 'Both created', value: noteResult('NOTE_CREATION_SUCCESS') },
        sent_again: { summary: 'The same request again', value: noteResult('NOTE_ALREADY_EXISTS') },
      },
    },
  },
  importTransactions: {
    request: {
      charge_and_payment: { summary: 'A charge and a payment', value: { ...ACCOUNT, transactions: chargeAndPayment } },
      supply_charge: { summary: 'A charge for supply, with tax', value: { ...ACCOUNT, transactions: [supplyCharge] } },
      outside_open_period: {
        summary: 'A charge from before the open statement period',
        value: { ...ACCOUNT, transactions: [outsideOpenPeriod] },
      },
    },
    responses: {
      201: {
        charge_and_payment: { summary: 'Both added', value: { results: chargeAndPayment.map(added) } },
        supply_charge: { summary: 'Added', value: { results: [added(supplyCharge)] } },
        outside_open_period: {
          summary: 'Added on the nearest day of the open statement period',
          value: { results: [movedInside()] },
        },
        sent_again: {
          summary: 'A charge and a payment again',
          value: {
            results: chargeAndPayment.map((transaction) => ({
              status: 'TRANSACTION_ALREADY_EXISTS',
              transaction_data: { ...added(transaction).transaction_data, status: 'TRANSACTION_IMPORT_SUCCESS' },
            })),
          },
        },
      },
    },
  },
  importStatements: {
    request: { statements: { summary: 'One statement with its PDF', value: statements } },
    responses: { 201: { statements: { summary: 'Stored, or stored before', value: statements } } },
  },
  importPaymentInstruction: {
    request: {
      card: {
        summary: 'A card that Stripe holds',
        value: { ...ACCOUNT, vendor: 'STRIPE', reference: 'pm_1NqkLXJ2eZvKYlo2', type: 'CARD' },
      },
    },
    responses: {
      201: {
        card: {
          summary: 'Stored, or stored before',
          value: { service_account_number: SERVICE_ACCOUNT_NUMBER, reference: 'pm_1NqkLXJ2eZvKYlo2' },
        },
      },
    },
  },
  accountStatus: {
    responses: {
      200: {
        completed: {
          summary: 'The account exists',
          value: { status: 'COMPLETED', service_account_number: SERVICE_ACCOUNT_NUMBER },
        },
        unknown: { summary: 'Staged, not created', value: { status: 'UNKNOWN', service_account_number: '' } },
        in_progress: { summary: 'Being created now', value: { status: 'IN_PROGRESS', service_account_number: '' } },
      },
    },
  },
  listAccountImports: {
    responses: { 200: { list: { summary: 'One created, one pending', value: [created, pending] } } },
  },
  listPendingImports: { responses: { 200: { list: { summary: 'One pending', value: [pending] } } } },
  listImportedAccounts: { responses: { 200: { list: { summary: 'One created', value: [created] } } } },
  ...READ_EXAMPLES,
  ...BULK_EXAMPLES,
  ...MANIFEST_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...RECONCILIATION_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
};

function movedInside() {
  const { status, transaction_data } = added(outsideOpenPeriod);
  const description =
    'The original date 2026-01-31 lies outside the open statement period (2026-03-01 to 2026-04-17); the transaction ' +
    'was added on 2026-03-01.';
  return { status, transaction_data: { ...transaction_data, transaction_date: '2026-03-01', description } };
}
