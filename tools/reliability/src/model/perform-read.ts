import { type CausewayClient, eachRecord, refusalOf } from '@causeway/client';
import type { Answer } from '../fuzz/send-bytes.ts';
import { nameOf, send } from '../rig/send.ts';
import type { Supplier } from '../rig/start-world.ts';
import type { CallOf, Part } from './account.ts';
import { instructionAsShown, noteAsShown, present, refusalsAsShown, transactionAsShown } from './as-shown.ts';
import type { Observation, Real } from './real.ts';

type Read = CallOf<'read'>;
type Fields = Record<string, unknown>;

/** Reads what is stored of an account, page after page, over REST or tRPC. */
export async function performRead(real: Real, call: Read): Promise<Observation> {
  const supplier = real.suppliers[call.owner];
  const { answer, body } = call.through === 'rest' ? await readOverRest(real, call) : await readOverTrpc(real, call);
  return { answer, shows: answer === '200' ? shown(call.of, body, supplier) : undefined };
}

interface Read200 {
  answer: string;
  body: unknown;
}

const isList = (of: Part) => of !== 'account' && of !== 'payment-instruction';

async function readOverRest({ url, suppliers }: Real, { of, owner, caller, account, limit }: Read): Promise<Read200> {
  const { token } = suppliers[caller];
  const root = `/v1/data-import/accounts/${suppliers[owner].code}/${account}/`;
  if (!isList(of)) {
    const answer = await send(url, { path: of === 'account' ? root : `${root}${of}/`, token });
    return { answer: nameOf(answer), body: answer?.body };
  }
  const records: unknown[] = [];
  let path: string | undefined = `${root}${of}/${limit === null ? '' : `?limit=${limit}`}`;
  while (path !== undefined) {
    const answer: Answer | undefined = await send(url, { path, token });
    if (answer?.status !== 200) return { answer: nameOf(answer), body: undefined };
    records.push(...(answer.body as unknown[]));
    path = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return { answer: '200', body: records };
}

async function readOverTrpc({ staff, clients, suppliers }: Real, call: Read): Promise<Read200> {
  const client = call.through === 'staff' ? staff : clients[call.caller];
  const key = { import_supplier_code: suppliers[call.owner].code, external_account_number: call.account };
  try {
    return { answer: '200', body: await ask(client, call, key) };
  } catch (error) {
    const refusal = refusalOf(error);
    return { answer: refusal === undefined ? String(error) : `${refusal.status} ${refusal.code}`, body: undefined };
  }
}

async function ask({ accounts }: CausewayClient, { of, limit }: Read, key: Parameters<typeof accounts.get.query>[0]) {
  const paged = limit === null ? key : { ...key, limit };
  switch (of) {
    case 'account':
      return accounts.get.query(key);
    case 'notes':
      return Array.fromAsync(eachRecord(accounts.notes, paged));
    case 'transactions':
      return Array.fromAsync(eachRecord(accounts.transactions, paged));
    case 'statements':
      return Array.fromAsync(eachRecord(accounts.statements, paged));
    case 'payment-instruction':
      return accounts.paymentInstruction.query(key);
  }
}

function shown(of: Part, body: unknown, supplier: Supplier): unknown {
  switch (of) {
    case 'account':
      return accountAsShown(body as Fields, supplier);
    case 'notes':
      return (body as Fields[]).map(noteAsShown);
    case 'transactions':
      return (body as Fields[]).map(transactionAsShown);
    case 'statements':
      return body;
    case 'payment-instruction':
      return instructionAsShown(body as Fields);
  }
}

function accountAsShown(body: Fields, { code, teamName }: Supplier): Fields {
  const { import_supplier, external_account_number, operations_team_name, account_created_at, account, ...more } = body;
  const { staged_at: _staged, erased_at: _erased, undocumented_fields: _none, refusals, ...shown } = more;
  const { import_supplier: within, ...data } = account as Fields;
  const isIts = import_supplier === code && within === code && external_account_number === data.external_account_number;
  return {
    ...(isIts ? {} : { import_supplier, external_account_number }),
    ...shown,
    team: operations_team_name === teamName ? true : operations_team_name !== null && operations_team_name,
    created: account_created_at !== null,
    refusals: refusalsAsShown(refusals),
    account: present(data),
  };
}
