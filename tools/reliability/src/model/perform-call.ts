import { type CausewayClient, refusalOf } from '@causeway/client';
import type { Random } from '@causeway/testing';
import { type Operation, operationOn } from '../rig/operations.ts';
import { type Answer, fieldOf, nameOf, send } from '../rig/send.ts';
import type { Supplier } from '../rig/start-world.ts';
import { type Call, isStaffs, type StaffCall } from './account.ts';
import { dayAsShown } from './as-shown.ts';
import { accountFields, asNumber, statementBody, transactionBody } from './content.ts';

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

type SupplierCall = Exclude<Call, StaffCall>;

async function performStaffCall({ staff, suppliers }: Real, call: StaffCall): Promise<string> {
  const { kind, owner, account } = call;
  const { code } = suppliers[owner];
  const key = { code, external_account_number: account };
  try {
    if (kind === 'skip') await staff.accountImports.skip.mutate({ ...key, reason: 'A duplicate' });
    else if (kind === 'unskip') await staff.accountImports.unskip.mutate(key);
    else if (kind === 'undo') {
      await staff.accountImports.undo.mutate({ ...key, reason: 'Wrong tariff', dry_run: call.dryRun });
    } else await staff.importSuppliers.setStatus.mutate({ code, status: kind === 'pause' ? 'PAUSED' : 'ONGOING' });
    return '200';
  } catch (error) {
    return refusalOf(error)?.code ?? String(error);
  }
}

function requestOf(supplier: Supplier, call: SupplierCall): Operation {
  const { account } = call;
  const { path, body } = operationOn(supplier, account, call.kind);
  if (call.kind === 'stage') return { path, body: { ...body, ...accountFields(call.payload, asNumber) } };
  const asked = { ...body, dry_run: call.dryRun };
  switch (call.kind) {
    case 'process':
      return { path, body: { ...asked, ...(call.knownTeam ? {} : { operations_team_name: 'Nobody' }) } };
    case 'notes':
      return { path, body: { ...asked, notes: call.sent } };
    case 'transactions': {
      const { checked, force, sent } = call;
      const query = `?check_previously_added=${checked}&force_add_to_current_statement=${force}`;
      return {
        path: path + query,
        body: { ...asked, transactions: sent.map((one) => transactionBody(one, asNumber)) },
      };
    }
    case 'statements':
      return { path, body: { ...asked, statements: call.sent.map((one) => statementBody(one, asNumber)) } };
    case 'instruction':
      return { path, body: { ...asked, reference: call.reference } };
  }
}

function shownBy(call: SupplierCall, answer: Answer | undefined): unknown {
  const { status = 0, body } = answer ?? {};
  const name = nameOf(answer);
  if (name.endsWith('already_imported')) return fieldOf(body, 'service_account_number');
  const succeeded = name.endsWith('dry_run_rolled_back') ? fieldOf(body, 'would_answer') : body;
  if (status >= 300 && succeeded === body) return undefined;
  const each = (list: unknown, show: (item: unknown) => unknown): unknown =>
    Array.isArray(list) ? list.map(show) : list;
  const differences = (item: unknown) => [...((fieldOf(item, 'differences') ?? []) as string[])].sort();
  switch (call.kind) {
    case 'notes':
      return each(succeeded, (note) => [fieldOf(note, 'status'), differences(note)]);
    case 'transactions':
      return each(fieldOf(succeeded, 'results'), (one) => {
        const data = fieldOf(one, 'transaction_data');
        return [
          fieldOf(one, 'status'),
          dayAsShown(fieldOf(data, 'transaction_date')),
          fieldOf(data, 'amount'),
          differences(one),
        ];
      });
    default:
      return undefined;
  }
}

/** Where the calls of a sequence go. */
export interface Real {
  url: string;
  staff: CausewayClient;
  suppliers: readonly [Supplier, Supplier];
  /** Draws how the bodies are sent. */
  travel: Random;
}

/** The answer, reduced to the parts of a prediction. */
interface Observation {
  answer: string;
  shows: unknown;
  serviceAccountNumber?: string;
}
