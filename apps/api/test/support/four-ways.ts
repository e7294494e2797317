import { type BookSettings, readBookLine, remarksOfLine } from '@causeway/book';
import type { ResultLine } from '@causeway/contracts';
import { expectedReadBack } from '@causeway/realistic-books';
import { expect } from 'vitest';
import { createJob, fileCall, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { callTrpc } from './parity.ts';
import { type RestAnswer, type TestService, type TestSupplier, until } from './test-service.ts';

export type Fields = Record<string, unknown>;

/** What a way said of an account: each as `code path`, with `*` for the index in a list. */
export interface Said {
  refused: string[];
  /** Of what is accepted: what is doubtful, and what is not documented. */
  remarks: string[];
}

/** The account as it is read back; absent if it was not created. */
export interface Told {
  said: Said;
  stored: Fields | undefined;
}

type SupplierSettings = Partial<BookSettings['importSupplier']>;

/**
 * Sends accounts with their history by all four ways: REST and tRPC, staged and processed; a bulk job; and the check of
 * `causeway validate`, which stores nothing. Each way has an import supplier of its own, with the same settings.
 */
export async function fourWays(service: TestService, configured: SupplierSettings, today: string) {
  const suppliers = await Promise.all(WAYS.map(() => service.createSupplier(configured as Fields)));
  const [rest, trpc, bulk] = suppliers as [TestSupplier, TestSupplier, TestSupplier];
  const settings = settingsOf(rest, { configured, today });
  return {
    suppliers: { rest, trpc, bulk },
    async send(accounts: readonly Fields[]) {
      return {
        rest: await inTurn(accounts, (account) => byCalls(rest, account, callRest)),
        trpc: await inTurn(accounts, (account) => byCalls(trpc, account, callOfTrpc)),
        bulk: await inBulk(bulk, accounts),
        validate: accounts.map((account) => offline(named(account, rest), settings)),
      };
    },
  };
}

const WAYS = ['REST', 'tRPC', 'bulk'];

/** The settings of an import supplier, as the check of a book takes them. */
export function settingsOf(
  { code }: TestSupplier,
  { configured, today }: { configured: SupplierSettings; today: string },
): BookSettings {
  return {
    importSupplier: {
      code,
      country: 'GB',
      account_types: [],
      undocumented_fields: 'REPORT',
      empty_means_omitted: false,
      statement_amount_unit: 'MAJOR',
      balance_check: 'REPORT',
      suspect_data: 'REPORT',
      suspect_data_by_code: {},
      ...configured,
    },
    today,
    maxLineBytes: 10_000_000,
    paymentVendors: new Set(['SANDBOX']),
    importOptions: { check_previously_added: true, force_add_to_current_statement: true },
  };
}

async function inTurn<Result>(accounts: readonly Fields[], work: (account: Fields) => Promise<Result>) {
  const results: Result[] = [];
  for (const account of accounts) results.push(await work(account));
  return results;
}

/** The account by the code of the import supplier that this way has. */
const named = (account: Fields, { code }: TestSupplier): Fields => ({ ...account, import_supplier: code });

type Answer = Pick<RestAnswer, 'status' | 'body' | 'headers'>;
type Step = 'stageAccount' | 'processAccount';
type Call = (supplier: TestSupplier, step: Step, body: Fields) => Promise<Answer>;

const callRest: Call = (supplier, step, body) =>
  supplier.post(`account-import-process/${step === 'stageAccount' ? 'create-or-update' : 'process'}/`, body);

const callOfTrpc: Call = async (supplier, step, body) => {
  const { status, ...answer } = await callTrpc(supplier, { method: 'POST', procedurePath: `dataImport.${step}` }, body);
  return { ...answer, status: status === 'success' ? 201 : status };
};

async function byCalls(supplier: TestSupplier, account: Fields, call: Call): Promise<Told> {
  const number = String(account.external_account_number);
  const staged = await call(supplier, 'stageAccount', named(account, supplier));
  if (staged.status !== 201) return { said: refusedBy(staged), stored: await storedOf(supplier, number) };
  const processed = await call(supplier, 'processAccount', supplier.processRequest(number));
  const said = processed.status === 201 ? { refused: [], remarks: toldBy(staged) } : refusedBy(processed);
  return { said, stored: await storedOf(supplier, number) };
}

async function inBulk(supplier: TestSupplier, accounts: readonly Fields[]): Promise<Told[]> {
  const id = await createJob(supplier, {
    options: { operations_team_name: supplier.teamName, max_refused_ratio: null },
  });
  await putPart(supplier, { id }, ndjson(accounts.map((account) => ({ account: named(account, supplier) }))));
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  const { text } = await fileCall(supplier, `bulk-jobs/${id}/results/`);
  const results = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultLine);
  return inTurn(accounts, async (account) => {
    const { errors, remarks } = results[accounts.indexOf(account)] ?? {};
    const stored = await storedOf(supplier, String(account.external_account_number));
    return { said: { refused: kinds(errors), remarks: kinds(remarks) }, stored };
  });
}

function offline(account: Fields, settings: BookSettings): Pick<Told, 'said'> {
  const answer = readBookLine(Buffer.from(JSON.stringify({ account })), settings);
  const said =
    'line' in answer
      ? { refused: [], remarks: kinds(remarksOfLine(answer.line)) }
      : { refused: kinds(answer.refusal.errors), remarks: [] };
  return { said };
}

/** All that can be read back of an account that was created. */
async function storedOf({ get, code }: TestSupplier, number: string): Promise<Fields | undefined> {
  const path = `accounts/${code}/${encodeURIComponent(number)}/`;
  const { status, body } = await get(path);
  if (status !== 200 || body.state !== 'COMPLETED') return undefined;
  const instructions = await get(`${path}payment-instruction/`);
  const lists = ['notes', 'transactions', 'statements'].map(async (name) => [
    name,
    (await get(`${path}${name}/`)).body,
  ]);
  const { import_supplier: _, ...account } = body.account;
  return {
    account,
    ...Object.fromEntries(await Promise.all(lists)),
    payment_instruction: instructions.status === 200 ? instructions.body : undefined,
  };
}

type Problem = { code: string; attr: string };

function refusedBy({ body }: Answer): Said {
  return { refused: body.errors === undefined ? [body.code] : kinds(body.errors), remarks: [] };
}

/** What the headers of an answer name. */
function toldBy({ headers }: Answer): string[] {
  const namesIn = (header: string) => headers.get(header)?.split(', ') ?? [];
  const undocumented = namesIn('undocumented-fields').map(
    (name) => `undocumented_field ${name.replace(/;count=\d+$/, '')}`,
  );
  const remarks = namesIn('remarks').map((name) => name.replace(';field=', ' ').replace(/;count=\d+$/, ''));
  return [...undocumented, ...remarks].map((kind) => decodeURIComponent(kind)).sort();
}

function kinds(problems: readonly Problem[] = []): string[] {
  return [...new Set(problems.map(({ code, attr }) => `${code} ${attr.replaceAll(INDEX, '*')}`))].sort();
}

const INDEX = /(?<=^|\.)\d+(?=\.|$)/g;

/** What was sent without the fields that were said not to be documented. */
export function withoutUndocumented(sent: Fields, { remarks }: Said): Fields {
  const left = structuredClone(sent);
  for (const kind of remarks) {
    const [code, path = ''] = kind.split(' ');
    if (code === 'undocumented_field') takeOut(left, path.split('.'));
  }
  return left;
}

function takeOut(value: unknown, [name = '', ...rest]: string[]): void {
  if (name === '*') for (const item of Array.isArray(value) ? value : []) takeOut(item, rest);
  else if (rest.length > 0) takeOut(Object(value)[name], rest);
  else delete Object(value)[name];
}

/** What is read back of an account that is stored as it was sent. */
export function readBackOf(account: Fields): Fields {
  const { external_account_number } = account;
  const { paymentInstruction, notes, ...rest } = expectedReadBack(
    { name: '', settings: {}, account },
    { external_account_number },
  );
  return {
    ...rest,
    notes: notes.map((note) => expect.objectContaining(note)),
    payment_instruction: paymentInstruction && expect.objectContaining(paymentInstruction),
  };
}
