import type { AuditEvent } from '@causeway/contracts';
import type { Answer } from '@causeway/rest-client';
import { describe, expect, it } from 'vitest';
import { type SampleAccount, sampleBook } from '../src/book/sample-book.ts';
import { poundsOf, sumOf } from '../src/money.ts';
import { neverSent, type Outcome } from '../src/outcome.ts';
import { readHeldBook } from '../src/read-held-book.ts';

const OPTIONS = { seed: 's', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17' };
const sound = sampleBook({ ...OPTIONS, accounts: 40 }).find(
  ({ expectedRefusal, paymentInstruction }) => !expectedRefusal && paymentInstruction,
) as SampleAccount;
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
  return { ...id, action, actor: 'supplier', api_key_id, detail, occurred_at: '2026-03-17T10:00:00Z' };
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
  payload?: Record<string, unknown> | null;
  /** Answers instead of those of a service that holds everything. */
  instead?: Record<string, object>;
  /** External account numbers in the list of imported accounts. */
  listed?: string[];
}

/** A service that holds the account as it was sent, unless it is told otherwise. */
function service({ trail = trailOf(THIS_RUN), payload, instead = {}, listed = [sound.externalAccountNumber] }: World) {
  const asked: string[] = [];
  const bodies: Record<string, object> = {
    'notes/create/': sound.notes.map(({ body = null }) => {
      return { body, created_at: '2026-03-17T10:00:00Z', status: 'NOTE_ALREADY_EXISTS' };
    }),
    'transactions/create/': { results: sound.transactions.map((one) => known(one)) },
    'historical-statements/create/': {
      import_supplier: 'HV',
      external_account_number: sound.externalAccountNumber,
      statements: sound.statements,
    },
    'payment-instruction/create/': { service_account_number: 'A-7K3M9QXT', reference: 'pm_ok_1' },
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
  const staged = payload === undefined ? { transfer_balance: sound.transferBalance } : payload;
  return {
    asked,
    client: { post: answer(201), get: answer(200), requestCount: () => asked.length },
    importSupplier: 'HV',
    apiKeyId: THIS_RUN,
    viewAccount: async () => ({ payload: staged, audit_trail: trail }),
  };
}

function known(transaction: SampleAccount['transactions'][number], status = 'TRANSACTION_ALREADY_EXISTS') {
  return { status, transaction_data: { ...transaction, amount: transaction.amount.toFixed(2) } };
}

describe('what the service says it holds', () => {
  it('18.2 is the list of imported accounts, and what repeated imports find there already', async () => {
    const held = await readHeldBook(service({}), [moved], NEVER);
    expect(held.problems).toEqual([]);
    expect(held.accounts).toMatchObject({ rows: 1, added: 1 });
    expect(held.notes).toMatchObject({ rows: sound.notes.length, added: sound.notes.length });
    expect(held.transactions).toMatchObject({ rows: sound.transactions.length, added: sound.transactions.length });
    expect(poundsOf(held.statements.pence)).toBeCloseTo(sumOf(sound.statements.map((one) => one.gross_amount)), 5);
    expect(held.statements).toMatchObject({ rows: sound.statements.length, added: sound.statements.length });
    expect(held.paymentInstructions).toMatchObject({ rows: 1, added: 1 });
    expect(sumOf([...held.penceByType.values()])).toBe(held.transactions.pence);
  });

  it('18.3 is new where the audit trail names the key of this run', async () => {
    const held = await readHeldBook(service({ trail: trailOf('key-of-an-earlier-run') }), [moved], NEVER);
    const { accounts, notes, transactions, statements, paymentInstructions } = held;
    const kinds = [accounts, notes, transactions, statements, paymentInstructions];
    expect(kinds.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0]);
    expect(kinds.every(({ rows }) => rows > 0)).toBe(true);
  });

  it('18.2 leaves out what only came by asking', async () => {
    const [first, ...others] = sound.transactions;
    if (!first) throw new RangeError('The account has no transaction');
    const results = [known(first, 'TRANSACTION_ADDED_TO_ACCOUNT'), ...others.map((one) => known(one))];
    const note = { body: 'x', created_at: '2026-03-17T10:00:00Z' };
    const notes = sound.notes.map((_, position) => {
      return { ...note, status: position === 0 ? 'NOTE_CREATION_SUCCESS' : 'NOTE_ALREADY_EXISTS' };
    });
    const instead = { 'transactions/create/': { results }, 'notes/create/': notes };
    const held = await readHeldBook(service({ instead }), [moved], NEVER);
    expect(held.transactions.rows).toBe(sound.transactions.length - 1);
    expect(held.notes.rows).toBe(sound.notes.length - 1);
  });

  it('18.2 counts statements and payment instructions that the audit trail told of before', async () => {
    const [processed] = trailOf(THIS_RUN);
    const short = event('statements_imported', { statements: sound.statements.length - 1 });
    const held = await readHeldBook(service({ trail: processed ? [processed, short] : [] }), [moved], NEVER);
    expect(held.statements).toMatchObject({ rows: 0, pence: 0 });
    expect(held.paymentInstructions.rows).toBe(0);
  });

  it('18.2 has no balance of an account whose payload is removed', async () => {
    const held = await readHeldBook(service({ payload: null }), [moved], NEVER);
    expect(held.withoutBalance).toEqual(new Set([sound.externalAccountNumber]));
    expect(held.problems).toEqual([]);
  });

  it('18.2 sends again only what was accepted, of accounts that are listed', async () => {
    const refused: Outcome = { ...moved, ...neverSent(sound), fate: 'refused' };
    const imported = service({});
    await readHeldBook(imported, [refused], NEVER);
    expect(imported.asked).toEqual(['imported-account-import-processes/HV/']);
    const unlisted = service({ listed: ['another'] });
    expect((await readHeldBook(unlisted, [moved], NEVER)).accounts.rows).toBe(0);
    expect(unlisted.asked).toHaveLength(1);
  });

  it('18.2 reports an amount that is not the one sent, with the account and the id to look for', async () => {
    const results = sound.transactions.map((one) => known({ ...one, amount: 0.01 }));
    const instead = { 'transactions/create/': { results } };
    const { problems } = await readHeldBook(service({ instead }), [moved], NEVER);
    expect(problems.join()).toContain(`${sound.externalAccountNumber}, asked again:`);
    expect(problems.join()).toContain('its amounts are not those sent');
    expect(problems.join()).toContain('[id-7]');
  });
});
