import {
  AccountPayload,
  AccountPaymentInstruction,
  BillingAddress,
  Note,
  Statement,
  StoredTransaction,
  SupplyChargeTransaction,
  Transaction,
} from '@causeway/contracts';
import type { z } from 'zod';

// biome-ignore lint/suspicious/noExplicitAny: whatever its schema describes
type Example = any;
/** How an example differs from that of its schema: in some fields, or altogether. */
export type Change = object | ((example: Example) => unknown);
/** By name. The only example of its kind needs no summary. */
type Examples = Record<string, [summary: string, change?: Change]>;
export type Place = 'request' | 200 | 201;

const NOW = '2026-04-17T09:30:12Z';
/** Of the bulk job. */
const PAUSED = '2026-11-21T23:14:09Z';
const EXPIRES = '2026-12-21T23:14:09Z';
export const only = (change: Change): Examples => ({ example: ['', change] });
const examplesOf = (schema: z.ZodType) => (schema.meta()?.examples ?? []) as [Example, ...Example[]];
const nothing = { number: 0, string: '0.00' };
/** The same figures before anything was moved. */
const nothingOf = (figures: unknown) =>
  JSON.parse(JSON.stringify(figures), (_name, figure) => nothing[typeof figure as 'number'] ?? figure);

const [household] = examplesOf(AccountPayload);
const smallest = {
  import_supplier: household.import_supplier,
  external_account_number: 'NW-0001483',
  customers: [{ given_name: 'Idris', family_name: 'Okafor' }],
};
const unknownOccupier = {
  import_supplier: household.import_supplier,
  external_account_number: 'NW-0001484',
  unknown_occupier: true,
  billing_name: 'The occupier',
  billing_address: examplesOf(BillingAddress)[0],
  supply_addresses: household.supply_addresses,
};
const withHistory = {
  ...smallest,
  external_account_number: 'NW-0001490',
  last_billed_to_date: '2026-02-28',
  last_statement_balance: '0.00',
  transfer_balance: '-26.54',
  notes: examplesOf(Note),
  transactions: examplesOf(Transaction),
  statements: examplesOf(Statement),
  payment_instruction: examplesOf(AccountPaymentInstruction)[0],
};
const DEFAULTS = { account_type: 'DOMESTIC', communication_preference: 'ONLINE' };
const staged = ({ figures, ...created }: Example) => ({
  ...{ ...created, external_account_number: smallest.external_account_number, state: 'STAGED', complete: false },
  ...{ service_account_number: null, operations_team_name: null, transfer_balance: null, account_created_at: null },
  figures: nothingOf(figures),
  account: { ...smallest, ...DEFAULTS },
});
const accounts = (defaults: object, filledIn = ''): Examples => ({
  household: ['A household with electricity'],
  smallest: [`The least there can be${filledIn}`, () => ({ ...smallest, ...defaults })],
  unknown_occupier: [`Nobody knows who lives there${filledIn}`, () => ({ ...unknownOccupier, ...defaults })],
  with_history: [`An account with its history${filledIn}`, () => ({ ...withHistory, ...defaults })],
});

const [supplyCharge] = examplesOf(SupplyChargeTransaction);
const [{ original_transaction_date, description, ...moved }] = examplesOf(StoredTransaction);
const outside = { ...moved, transaction_date: original_transaction_date };
const results =
  (transactions: Example[], more = {}, status = 'TRANSACTION_ADDED_TO_ACCOUNT') =>
  () => ({
    results: transactions.map(({ amount, ...transaction }) => ({
      status,
      transaction_data: { ...transaction, amount: Number(amount).toFixed(2), ...more },
    })),
  });

const idle = { accounts_per_second: null, estimate: null };
const notBegun =
  (change: object) =>
  ({ counts, sums, ...job }: Example) => ({
    ...job,
    ...idle,
    counts: nothingOf(counts),
    sums: nothingOf(sums),
    ...change,
  });
const open = { state: 'OPEN', run: 0, run_mode: null, lines: 0, parts: 0, started_at: null };
const unsealed = { state: 'OPEN', digest: null, lodged_before_load: null, sealed_at: null, lodged_by: null };
const uncompared = {
  ...{ state: 'PLANNING', verdict: null, started_at: null, finished_at: null, ranges_done: 0, round: 0 },
  ...{ totals: null, accounts: null, differences: null, differences_digest: null, covered: null, moved_ranges: null },
};
const unsent = {
  ...{ event_type: 'webhook.test', attempts: 0, last_attempted_at: null },
  ...{ failure: null, status: null, duration_ms: null, answer: null },
};

/**
 * By operationId, where the examples of the schemas do not tell it: several examples of a kind, and states in between.
 * One story, of the account NW-0001482 at 09:30:12 on 17 April 2026, and its neighbours.
 */
export const STORY: Record<string, Partial<Record<Place, Examples>>> = {
  validateAccount: { request: accounts({}), 200: accounts(DEFAULTS, ', defaults filled in') },
  stageAccount: {
    request: accounts({}),
    200: { household: ['Staged again'] },
    201: {
      household: ['Staged for the first time'],
      smallest: ['Another account, staged for the first time', { external_account_number: 'NW-0001483' }],
    },
  },
  processAccount: {
    request: { create: ['Create the account'], dry_run: ['Try it and keep nothing', { dry_run: true }] },
    201: { create: ['Created'] },
  },
  importNotes: {
    request: { notes: ['A pinned note, and a note that is a document'] },
    201: {
      notes: ['Both created'],
      sent_again: [
        'The same request again',
        (notes: object[]) => notes.map((note) => ({ ...note, status: 'NOTE_ALREADY_EXISTS' })),
      ],
    },
  },
  importTransactions: {
    request: {
      charge_and_payment: ['A charge and a payment'],
      supply_charge: ['A charge for supply, with tax', { transactions: [supplyCharge] }],
      outside_open_period: ['A charge from before the open statement period', { transactions: [outside] }],
    },
    201: {
      charge_and_payment: ['Both added', results(examplesOf(Transaction))],
      supply_charge: ['Added', results([supplyCharge])],
      outside_open_period: [
        'Added on the nearest day of the open statement period',
        results([outside], { transaction_date: moved.transaction_date, description }),
      ],
      sent_again: [
        'A charge and a payment again',
        results(examplesOf(Transaction), { status: 'TRANSACTION_IMPORT_SUCCESS' }, 'TRANSACTION_ALREADY_EXISTS'),
      ],
    },
  },
  accountStatus: {
    200: {
      completed: ['The account exists'],
      unknown: ['Staged, not created', { status: 'UNKNOWN', service_account_number: '' }],
      in_progress: ['Being created now', { status: 'IN_PROGRESS', service_account_number: '' }],
    },
  },
  listPendingImports: { 200: only(([, pending]: Example[]) => [pending]) },
  listImportedAccounts: { 200: only(([created]: Example[]) => [created]) },
  getAccount: { 200: { created: ['A household with electricity'], staged: ['Staged, not created', staged] } },
  createBulkJob: {
    request: {
      move: ['A book that is uploaded, staged and created'],
      process: ['Accounts that are staged already', { kind: 'PROCESS', selection: { states: ['STAGED'] } }],
    },
    201: only(notBegun({ ...open, files_expire_at: EXPIRES })),
  },
  startBulkJob: {
    request: { rehearsal: ['Try it'], real: ['Move the accounts', { run_mode: 'REAL' }] },
    200: only(notBegun({ state: 'PLANNING', run: 1, run_mode: 'REHEARSAL' })),
  },
  pauseBulkJob: { 200: only({ ...idle, state: 'PAUSED', state_reason: 'asked', paused_at: PAUSED }) },
  cancelBulkJob: {
    200: only(({ counts, ...job }: Example) => ({
      ...{ ...job, ...idle, state: 'CANCELLED', finished_at: PAUSED, files_expire_at: EXPIRES },
      counts: { ...counts, not_processed: counts.waiting, waiting: 0 },
    })),
  },
  createManifest: { 201: only({ ...unsealed, parts: 0, lines: 0 }) },
  withdrawManifest: {
    request: { empty: ['An empty object', () => ({})], reason: ['With a reason'] },
    200: only({ state: 'WITHDRAWN', withdrawn_at: NOW, withdrawn_reason: 'Counted too early.' }),
  },
  createReconciliation: { 201: only(uncompared) },
  cancelReconciliation: { 200: only({ ...uncompared, state: 'CANCELLED', finished_at: NOW }) },
  listEvents: { 200: { example: ['One event'], nothing: ['Nothing new', { events: [] }] } },
  createWebhookEndpoint: { 201: only({ last_delivered_at: null }) },
  rotateWebhookSecret: { 200: only({ previous_secret_until: '2026-04-18T10:02:00Z' }) },
  testWebhookEndpoint: { 200: only({ ...unsent, message_id: 'evt_test_019ab2f5-0d3a-7b11-9c04-51e0a7f3d2b8' }) },
};
