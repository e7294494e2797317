import { type ExampleCall, exampleCalls } from '@causeway/api/example-calls';
import { mustSend } from './send.ts';
import type { Supplier } from './start-world.ts';

/** The writing endpoints, in the order of an account's migration. */
export const OPERATIONS = ['stage', 'process', 'notes', 'transactions', 'statements', 'instruction'] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** One request that changes something. */
export interface Operation {
  path: string;
  body: Record<string, unknown>;
}

const PATHS: Record<OperationName, string> = {
  stage: '/v1/data-import/account-import-process/create-or-update/',
  process: '/v1/data-import/account-import-process/process/',
  notes: '/v1/data-import/notes/create/',
  transactions: '/v1/data-import/transactions/create/',
  statements: '/v1/data-import/historical-statements/create/',
  instruction: '/v1/data-import/payment-instruction/create/',
};

/** What `operationOn` adds to an account. The sum of the two transactions is 60.21. */
export const ADDED = { notes: 2, transactions: 2, statements: 2, instruction: 1, sum: '60.21' } as const;

/** For transactions: also adds those that were added before. */
export const UNCHECKED = '?check_previously_added=false';

/** The first request with the key has lost its client but not ended yet. */
export const STILL_AT_IT = '409 idempotency_key_in_progress';

/**
 * The request of one step in the life of an account; each adds the contents of `ADDED` once, however often it is sent.
 */
export function operationOn(supplier: Supplier, account: string, name: OperationName): Operation {
  const reference = { import_supplier: supplier.code, external_account_number: account };
  const bodies: Record<OperationName, () => Record<string, unknown>> = {
    stage: () => accountPayload(supplier, account),
    process: () => ({
      external_account_number: account,
      import_supplier_code: supplier.code,
      operations_team_name: supplier.teamName,
    }),
    notes: () => ({ ...reference, notes: [{ body: 'Moved house' }, { body: 'Wants paper bills' }] }),
    transactions: () => ({
      ...reference,
      transactions: [
        { transaction_id: 'T1', transaction_date: TODAY, type: 'CHARGE', amount: 10.1, reason: 'IMPORTED_CHARGE' },
        { transaction_id: 'T2', transaction_date: TODAY, type: 'PAYMENT', amount: 50.11 },
      ],
    }),
    statements: () => ({ ...reference, statements: ['S1', 'S2'].map(statement) }),
    instruction: () => ({ ...reference, vendor: 'VENDOR', reference: `pm_${account}`, type: 'CARD' }),
  };
  return { path: PATHS[name], body: bodies[name]() };
}

/** Performs steps that prepare something: throws if one of them is not answered 201. */
export async function performSteps(
  world: { url(): string },
  supplier: Supplier,
  account: string,
  steps: readonly OperationName[],
): Promise<void> {
  for (const step of steps) {
    await mustSend(world.url(), { ...operationOn(supplier, account, step), token: supplier.token });
  }
}

/** A household with data for every table that process writes. */
export function accountPayload({ code }: Pick<Supplier, 'code'>, account: string): Record<string, unknown> {
  return {
    import_supplier: code,
    external_account_number: account,
    billing_name: 'Zoë Hartley',
    last_billed_to_date: '2025-10-31',
    transfer_balance: '-48.20',
    customers: [{ given_name: 'Zoë', family_name: 'Hartley', email: 'zoe@example.com' }],
    supply_addresses: [
      {
        supply_address1: '12 Alder Row',
        supply_postcode: 'LS1 4AP',
        customer_at_supply_address_from_date: '2019-04-01',
        meter_points: [{ identifier: '1200023305967', supply_type: 'ELECTRICITY' }],
      },
    ],
  };
}

/** The answer of a vendor that knows a reference. */
export function knownInstruction(reference: string) {
  const details = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 };
  return { kind: 'answer', body: { reference, type: 'CARD', status: 'ACTIVE', details } } as const;
}

const TODAY = new Date().toISOString().slice(0, 10);

function statement(statement_id: string): Record<string, unknown> {
  const period = { bill_period_from_date: '2025-10-01', bill_period_to_date: '2025-10-31', issued_date: '2025-11-03' };
  return { ...period, statement_id, number: `N-${statement_id}`, gross_amount: 84.2 };
}

/** The names in a call: an import supplier, one of its accounts, and its organisation's ids. */
export interface Target extends Supplier {
  account: string;
  apiKeyId: string;
}

/** One valid call of every procedure, by name. There is nothing but an API key with its ids. */
export function allProcedureCalls({ code, account, organisationId, apiKeyId, teamName }: Target): ExampleCall[] {
  const supplier = { code, import_supplier: code, import_supplier_code: code, organisation_id: organisationId };
  const fields = { ...supplier, external_account_number: account, operations_team_name: teamName, vendor: 'VENDOR' };
  return exampleCalls({ fields, id: apiKeyId });
}

/** How a procedure is called over HTTP. */
export function trpcRequest({ procedure, kind, input }: Pick<ExampleCall, 'procedure' | 'kind'> & { input: unknown }): {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
} {
  const text = JSON.stringify(input);
  return kind === 'query'
    ? { method: 'GET', path: `/trpc/${procedure}?input=${encodeURIComponent(text.toWellFormed())}` }
    : { method: 'POST', path: `/trpc/${procedure}`, body: text };
}
