import { type CausewayClient, refusalOf } from '@causeway/client';
import type { Random } from '@causeway/testing';
import { type Call, pounds } from './model.ts';
import { operationOn } from './operations.ts';
import { type Answer, fieldOf, nameOf, send } from './send.ts';
import type { Supplier } from './start-world.ts';

/** Where the calls of a sequence go. */
export interface Real {
  url: string;
  staff: CausewayClient;
  suppliers: readonly [Supplier, Supplier];
  /** Draws how the bodies are sent. */
  travel: Random;
}

/** The answer, reduced to the parts of a prediction. */
export interface Observation {
  answer: string;
  shows: unknown;
  serviceAccountNumber?: string;
}

/** Makes the call through its caller's interface: REST for suppliers, tRPC for the service team. */
export async function performCall(real: Real, call: Call): Promise<Observation> {
  if (isStaffs(call)) return { answer: await performStaffCall(real, call), shows: undefined };
  const { token } = real.suppliers[call.caller];
  const answer = await send(real.url, { ...requestOf(real.suppliers[call.owner], call), token, travel: real.travel });
  const number = fieldOf(answer?.body, 'service_account_number');
  return {
    answer: nameOf(answer),
    shows: shownBy(call, answer),
    ...(call.kind === 'process' && typeof number === 'string' ? { serviceAccountNumber: number } : {}),
  };
}

type StaffCall = Extract<Call, { kind: 'skip' | 'unskip' | 'pause' | 'resume' }>;
type SupplierCall = Exclude<Call, StaffCall>;

const isStaffs = (call: Call): call is StaffCall => ['skip', 'unskip', 'pause', 'resume'].includes(call.kind);

async function performStaffCall({ staff, suppliers }: Real, { kind, owner, account }: StaffCall): Promise<string> {
  const { code } = suppliers[owner];
  const key = { code, external_account_number: account };
  try {
    if (kind === 'skip') await staff.accountImports.skip.mutate({ ...key, reason: 'A duplicate' });
    else if (kind === 'unskip') await staff.accountImports.unskip.mutate(key);
    else await staff.importSuppliers.setStatus.mutate({ code, status: kind === 'pause' ? 'PAUSED' : 'ONGOING' });
    return '200';
  } catch (error) {
    return refusalOf(error)?.code ?? String(error);
  }
}

function requestOf(supplier: Supplier, call: SupplierCall): { path: string; body?: Record<string, unknown> } {
  const { account } = call;
  if (call.kind === 'status') {
    return { path: `/v1/data-import/account-transfer-status/${supplier.code}/${account}/` };
  }
  if (call.kind === 'list') return { path: `/v1/data-import/${call.of}-account-import-processes/${supplier.code}/` };
  const { path, body } = operationOn(supplier, account, call.kind);
  switch (call.kind) {
    case 'stage':
      return { path, body: { ...body, billing_name: call.billingName } };
    case 'process':
      return {
        path,
        body: { ...body, dry_run: call.dryRun, ...(call.knownTeam ? {} : { operations_team_name: 'Nobody' }) },
      };
    case 'notes':
      return { path, body: { ...body, notes: call.bodies.map((text) => ({ body: text })) } };
    case 'transactions': {
      const common = { transaction_date: '2025-11-05', type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
      const transactions = call.added.map(({ id, pence }) => ({
        ...common,
        transaction_id: id,
        amount: Number(pounds(pence)),
      }));
      return { path: `${path}?check_previously_added=${call.checked}`, body: { ...body, transactions } };
    }
    case 'statements': {
      const [example] = body.statements as Record<string, unknown>[];
      const statements = call.sent.map(({ id, pence }) => ({
        ...example,
        statement_id: id,
        gross_amount: Number(pounds(pence)),
      }));
      return { path, body: { ...body, statements } };
    }
    case 'instruction':
      return { path, body: { ...body, reference: call.reference } };
  }
}

function shownBy(call: SupplierCall, answer: Answer | undefined): unknown {
  const { status = 0, body } = answer ?? {};
  if (status === 400 && nameOf(answer).endsWith('already_imported')) return fieldOf(body, 'service_account_number');
  if (status >= 300) return undefined;
  const each = (list: unknown, show: (item: unknown) => unknown): unknown =>
    Array.isArray(list) ? list.map(show) : list;
  switch (call.kind) {
    case 'notes':
      return each(body, (note) => fieldOf(note, 'status'));
    case 'transactions':
      return each(fieldOf(body, 'results'), (one) => [
        fieldOf(one, 'status'),
        fieldOf(fieldOf(one, 'transaction_data'), 'amount'),
      ]);
    case 'status':
      return [fieldOf(body, 'status'), fieldOf(body, 'service_account_number')];
    case 'list':
      return each(body, (one) => [fieldOf(one, 'external_account_number'), fieldOf(one, 'service_account_number')]);
    default:
      return undefined;
  }
}
