import { type AuditEvent, Problem, StoredAccount } from '@causeway/contracts';
import { penceOf, type SampleAccount, sampleBook, sumOf } from '@causeway/realistic-books';
import type { Answer } from '@causeway/rest-client';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../src/outcome.ts';
import { readHeldBook } from '../src/read-held-book.ts';

const OPTIONS = { seed: 's', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17' };
const sound = sampleBook({ ...OPTIONS, accounts: 40 }).find(
  ({ expectedRefusal, paymentInstruction, expected }) => !expectedRefusal && paymentInstruction && !expected,
) as SampleAccount;
const carried = sampleBook({ ...OPTIONS, accounts: 2 })[1] as SampleAccount;
const THIS_RUN = 'key-of-this-run';
const NEVER = new AbortController().signal;

const moved: Outcome = {
  account: sound,
  fate: 'added',
  serviceAccountNumber: 'A-7K3M9QXT',
  notes: { stored: sound.notes.length, refused: 0 },
  transactions: { stored: sound.transactions.length, refused: 0 },
  movedTransactions: 0,
  statements: { stored: sound.statements.length, refused: 0 },
  paymentInstruction: { stored: 1, refused: 0 },
};

function event(action: string, detail: AuditEvent['detail'] = null, api_key_id = THIS_RUN): AuditEvent {
  const id = { id: '1', request_id: 'r', caller_request_id: null };
  return { ...id, action, actor: 'supplier', api_key_id, person: null, detail, occurred_at: '2026-03-17T10:00:00Z' };
}

const trailOf = (key: string): AuditEvent[] => [
  event('processed', null, key),
  event('notes_imported', { notes: sound.notes.length }, key),
  event('transactions_imported', { transactions: sound.transactions.length }, key),
  event('statements_imported', { statements: sound.statements.length }, key),
  event('payment_instruction_imported', { vendor: 'SANDBOX' }, key),
];

interface World {
  trail?: AuditEvent[];
  /** Answers instead of those of a service that holds everything. */
  instead?: Record<string, object>;
  /** External account numbers in the list of imported accounts. */
  listed?: string[];
}

const ACCOUNT = `accounts/HV/${sound.externalAccountNumber}/`;
const problem = Problem.meta()?.examples?.[0] as Problem;

/** A service that holds the account as it was sent, unless it is told otherwise. */
function service({ trail = trailOf(THIS_RUN), instead = {}, listed = [sound.externalAccountNumber] }: World) {
  const asked: string[] = [];
  const example = StoredAccount.meta()?.examples?.[0] as StoredAccount;
  const bodies: Record<string, object> = {
    [ACCOUNT]: { ...example, transfer_balance: sound.transferBalance },
    [`${ACCOUNT}notes/`]: sound.notes.map((note, index) => storedNote({ ...note, position: index + 1 })),
    [`${ACCOUNT}transactions/`]: sound.transactions.map(storedTransaction),
    [`${ACCOUNT}statements/`]: sound.statements.map((one) => {
      return { ...one, gross_amount: Number(one.gross_amount).toFixed(2) };
    }),
    'problems/HV/': [problem],
    'imported-account-import-processes/HV/': listed.map((external_account_number) => {
      const account_created_at = '2026-03-17T10:00:00Z';
      return { external_account_number, service_account_number: 'A-7K3M9QXT', account_created_at };
    }),
    ...instead,
  };
  const answer =
    (status: number) =>
    async (path: string): Promise<Answer> => {
      asked.push(path);
      return { request: path, requestId: 'id-7', status, body: bodies[path] };
    };
  return {
    asked,
    client: { post: answer(201), get: answer(200), requestCount: () => asked.length },
    importSupplier: 'HV',
    apiKeyId: THIS_RUN,
    readTrail: async () => trail,
  };
}

function storedNote(note: object) {
  return { created_at: '2026-03-17T10:00:00Z', is_pinned: false, is_archived: false, ...note };
}

function storedTransaction(transaction: object) {
  const { line_items: _lines, tax_items: _taxes, ...one } = transaction as Record<string, unknown>;
  return { ...one, amount: Number(one.amount).toFixed(2) };
}

describe('what the service says it holds', () => {
  it('18.2 is the list of imported accounts, and what is read back of each', async () => {
    const held = await readHeldBook(service({}), [moved], NEVER);
    expect(held.problems).toEqual([]);
    expect(held.accounts).toMatchObject({ rows: 1, added: 1, pence: penceOf(sound.transferBalance) });
    expect(held.notes).toMatchObject({ rows: sound.notes.length, added: sound.notes.length });
    expect(held.transactions).toMatchObject({ rows: sound.transactions.length, added: sound.transactions.length });
    expect(held.statements).toMatchObject({
      rows: sound.statements.length,
      added: sound.statements.length,
      pence: sumOf(sound.statements.map((one) => penceOf(String(one.gross_amount)))),
    });
    expect(held.paymentInstructions).toMatchObject({ rows: 1, added: 1 });
    expect(sumOf([...held.penceByType.values()])).toBe(held.transactions.pence);
    expect(held.example).toMatchObject({ service_account_number: 'A-7K3M9QXT' });
    expect(held.openProblems).toEqual([problem]);
  });

  it('18.3 is new where the audit trail names the key of this run', async () => {
    const held = await readHeldBook(service({ trail: trailOf('key-of-an-earlier-run') }), [moved], NEVER);
    const { accounts, notes, transactions, statements, paymentInstructions } = held;
    const kinds = [accounts, notes, transactions, statements, paymentInstructions];
    expect(kinds.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0]);
    expect(kinds.every(({ rows }) => rows > 0)).toBe(true);
  });

  it('18.2 leaves out what the service or somebody else has added, and counts what is stored twice', async () => {
    const [first] = sound.notes;
    const notes = [...sound.notes, first, { body: 'Hello from curl' }].map((note, index) =>
      storedNote({ ...note, position: index + 1 }),
    );
    const [transaction] = sound.transactions.map(storedTransaction);
    const transactions = [...sound.transactions.map(storedTransaction), { ...transaction, transaction_id: 'by-hand' }];
    const instead = { [`${ACCOUNT}notes/`]: notes, [`${ACCOUNT}transactions/`]: transactions };
    const held = await readHeldBook(service({ instead }), [moved], NEVER);
    expect(held.problems).toEqual([]);
    expect(held.notes.rows).toBe(sound.notes.length + 1);
    expect(held.transactions.rows).toBe(sound.transactions.length);
  });

  it('18.2 reads only accounts that are listed as imported', async () => {
    const unlisted = service({ listed: ['another'] });
    expect((await readHeldBook(unlisted, [moved], NEVER)).accounts.rows).toBe(0);
    expect(unlisted.asked).toEqual(['imported-account-import-processes/HV/', 'problems/HV/']);
  });

  it('18.2 reports an answer that is not as documented, with the account and the id to look for', async () => {
    const instead = { [`${ACCOUNT}transactions/`]: { results: [] } };
    const { problems } = await readHeldBook(service({ instead }), [moved], NEVER);
    expect(problems.join()).toContain(`${sound.externalAccountNumber}, read back:`);
    expect(problems.join()).toContain('[id-7]');
  });

  const path = `accounts/HV/${carried.externalAccountNumber}/`;
  const example = StoredAccount.meta()?.examples?.[0] as StoredAccount;
  const asSent = {
    [path]: { ...example, account: carried.expected?.account },
    [`${path}notes/`]: carried.expected?.notes.map((note, index) => storedNote({ ...note, position: index + 1 })) ?? [],
    [`${path}transactions/`]: carried.expected?.transactions ?? [],
    [`${path}statements/`]: carried.expected?.statements ?? [],
  };
  const createdWithHistory: Outcome = { ...moved, account: carried };

  it('18.8 shows an account that carried its history rather than another', async () => {
    const world = service({ instead: asSent, listed: [carried, sound].map((one) => one.externalAccountNumber) });
    const held = await readHeldBook(world, [moved, createdWithHistory], NEVER);
    expect(held.problems).toEqual([]);
    expect([held.carried, held.accounts.rows]).toEqual([1, 2]);
    expect(held.example?.account).toEqual(carried.expected?.account);
  });

  it.each([
    ['account', '', (body: unknown) => ({ ...Object(body), account: { ...carried.expected?.account, customers: [] } })],
    ['transactions', 'transactions/', (body: unknown) => Object(body).slice(1)],
    ['statements', 'statements/', (body: unknown) => [{ ...Object(body)[0], number: '81' }]],
  ])('18.8 reports an account whose %s is not stored as it was sent', async (part, below, change) => {
    const instead = { ...asSent, [path + below]: change(asSent[path + below]) };
    const world = service({ instead, listed: [carried.externalAccountNumber] });
    const { problems } = await readHeldBook(world, [createdWithHistory], NEVER);
    expect(problems.join()).toContain(
      `${carried.externalAccountNumber}, read back: stored is not what was sent: its ${part}`,
    );
  });
});
