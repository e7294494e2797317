import { type SampleAccount, sampleBook } from '@causeway/realistic-books';
import type { Answer } from '@causeway/rest-client';
import { describe, expect, it } from 'vitest';
import { moveAccount } from '../src/move-account.ts';

const NUMBER = 'A-7K3M9QXT';
const book = sampleBook({ seed: 's', importSupplier: 'HV', teamName: 'T', accounts: 12, bookDate: '2026-03-17' });

type Reply = Pick<Answer, 'status' | 'body'>;
type Replies = (path: string, body: Record<string, unknown>) => Reply | undefined;

function accountAt(position: number): SampleAccount {
  const account = book[position];
  if (!account) throw new RangeError(`The book has no account ${position}`);
  return account;
}

const refusal = (code: string, errors: object[] = []): Reply => ({
  status: 400,
  body: { detail: 'No.', code, errors, documentation_url: `/docs/errors#${code}` },
});

/** Answers as the service does when all goes well, unless `replies` has something else to say. */
function road(account: SampleAccount, replies: Replies = () => undefined) {
  const paths: string[] = [];
  const skipped: string[] = [];
  const wellAnswer = (path: string, body: Record<string, unknown>): Reply => {
    if (path.startsWith('account-transfer-status/')) {
      return { status: 200, body: { status: 'COMPLETED', service_account_number: NUMBER } };
    }
    if (body.dry_run) return refusal('dry_run_rolled_back');
    const added = 'TRANSACTION_ADDED_TO_ACCOUNT';
    const answers: Record<string, Reply> = {
      'validate-account/': { status: 200, body },
      'account-import-process/create-or-update/': {
        status: 201,
        body: { import_supplier: 'HV', external_account_number: account.externalAccountNumber },
      },
      'account-import-process/process/': {
        status: 201,
        body: { external_account_number: account.externalAccountNumber, service_account_number: NUMBER },
      },
      'notes/create/': {
        status: 201,
        body: account.notes.map(({ body: text = null }) => {
          return { body: text, created_at: '2026-03-17T10:00:00Z', status: 'NOTE_CREATION_SUCCESS' };
        }),
      },
      'transactions/create/': {
        status: 201,
        body: {
          results: account.transactions.map((one) => {
            return { status: added, transaction_data: { ...one, amount: Number(one.amount).toFixed(2) } };
          }),
        },
      },
      'historical-statements/create/': { status: 201, body },
      'payment-instruction/create/': { status: 201, body: { service_account_number: NUMBER, reference: 'pm_ok_1' } },
    };
    return answers[path] ?? { ...refusal('not_found'), status: 404 };
  };
  const answer = async (path: string, body: object = {}): Promise<Answer> => {
    paths.push(path);
    const sent = { ...body };
    return { request: path, requestId: 'id-7', ...(replies(path, sent) ?? wellAnswer(path, sent)) };
  };
  const client = { post: answer, get: answer, requestCount: () => paths.length };
  const skipAccount = async (number: string) => void skipped.push(number);
  return { paths, skipped, client, importSupplier: 'HV', skipAccount };
}

describe('moving one account', () => {
  it('4.1 to 4.8 validates, stages, rehearses, processes, imports what belongs to it and asks for its status', async () => {
    const account = accountAt(0);
    const way = road(account);
    const outcome = await moveAccount(way, account);
    expect(outcome).toMatchObject({ fate: 'added', serviceAccountNumber: NUMBER });
    expect(outcome.problem).toBeUndefined();
    expect(outcome.notes).toMatchObject({ stored: account.notes.length, added: account.notes.length, refused: 0 });
    expect(outcome.transactions).toMatchObject({ stored: account.transactions.length, refused: 0 });
    const process = 'account-import-process/process/';
    const start = ['validate-account/', 'account-import-process/create-or-update/', process, process, 'notes/create/'];
    expect(way.paths.slice(0, 5)).toEqual(start);
    expect(way.paths.at(-1)).toBe(`account-transfer-status/HV/${account.externalAccountNumber}/`);
  });

  it('18.8 sends an account that carries its history in one call of each kind, with all of it', async () => {
    const account = accountAt(1);
    const way = road(account);
    const outcome = await moveAccount(way, account);
    expect(outcome.problem).toBeUndefined();
    expect(outcome).toMatchObject({
      fate: 'added',
      notes: { stored: 2, added: 2 },
      transactions: { stored: 6, added: 6 },
      statements: { stored: 1 },
      paymentInstruction: { stored: 1 },
    });
    const process = 'account-import-process/process/';
    const calls = ['validate-account/', 'account-import-process/create-or-update/', process, process];
    expect(way.paths).toEqual([...calls, `account-transfer-status/HV/${account.externalAccountNumber}/`]);
  });

  it('4.3 takes an account that was imported before as such, with its number', async () => {
    const account = accountAt(0);
    const { status, body } = refusal('account_import_process_already_imported');
    const numbers = { external_account_number: account.externalAccountNumber, service_account_number: NUMBER };
    const known = { status, body: { ...Object(body), ...numbers } };
    const way = road(account, (path) => (path.startsWith('account-import-process/') ? known : undefined));
    const outcome = await moveAccount(way, account);
    expect(outcome).toMatchObject({ fate: 'existing', serviceAccountNumber: NUMBER });
    expect(outcome.problem).toBeUndefined();
  });

  it('7.2 tells the code of an expected refusal, and sends nothing more', async () => {
    const account = accountAt(3);
    const blamed = { detail: 'No.', code: 'invalid_phone_number', attr: 'customers.0.landline' };
    const way = road(account, () => refusal('account_failed_validation', [blamed]));
    const outcome = await moveAccount(way, account);
    expect(outcome.refusal).toBe('invalid_phone_number');
    expect(outcome).toMatchObject({ fate: 'refused', notes: { stored: 0, refused: account.notes.length } });
    expect(outcome.problem).toBeUndefined();
    expect(way.paths).toEqual(['validate-account/']);
  });

  it('4.2 has staff skip an account once it is staged', async () => {
    const account = accountAt(5);
    const way = road(account, (_, body) => (body.dry_run ? refusal('account_import_process_skipped') : undefined));
    expect(await moveAccount(way, account)).toMatchObject({ fate: 'refused' });
    expect(way.skipped).toEqual([account.externalAccountNumber]);
  });

  it('4.5 keeps the transactions that may not be moved apart as refused', async () => {
    const account = accountAt(9);
    const refused = refusal('transaction_outside_open_statement_period').body as object;
    const body = { ...refused, transaction_data: {}, error_detail: 'Outside.', status: 'TRANSACTION_IMPORT_ERROR' };
    const way = road(account, (path) => (path.startsWith('transactions/') ? { status: 400, body } : undefined));
    const outcome = await moveAccount(way, account);
    expect(way.paths).toContain('transactions/create/?force_add_to_current_statement=false');
    expect(outcome.transactions).toMatchObject({ stored: 0, refused: account.transactions.length });
    expect(outcome.problem).toBeUndefined();
  });

  it.each([
    ['another refusal than the expected one', 3, () => refusal('internal_error')],
    ['a refusal of a sound account', 0, () => refusal('import_supplier_does_not_exist')],
    ['a faulty account that is imported', 3, () => undefined],
    ['a 500', 0, () => ({ ...refusal('internal_error'), status: 500 })],
    ['a page instead of JSON', 0, () => ({ status: 502, body: '<h1>Bad gateway</h1>' })],
  ] satisfies [string, number, Replies][])('18.2 reports %s with the id to look for', async (_, position, replies) => {
    const account = accountAt(position);
    const { problem } = await moveAccount(road(account, replies), account);
    expect(problem).toContain(account.externalAccountNumber);
    expect(problem).toContain('[id-7]');
  });

  it('4.5 reports an amount that came back different', async () => {
    const account = accountAt(0);
    const way = road(account, (path) => {
      const data = { transaction_id: 'x', transaction_date: '2026-03-01', amount: '0.01', type: 'CHARGE' };
      const results = account.transactions.map(() => ({
        status: 'TRANSACTION_ADDED_TO_ACCOUNT',
        transaction_data: data,
      }));
      return path.startsWith('transactions/') ? { status: 201, body: { results } } : undefined;
    });
    expect((await moveAccount(way, account)).problem).toContain('its amounts are not those sent');
  });

  it('4.8 reports a status that does not fit', async () => {
    const account = accountAt(0);
    const unknown = { status: 200, body: { status: 'UNKNOWN', service_account_number: '' } };
    const way = road(account, (path) => (path.startsWith('account-transfer-status/') ? unknown : undefined));
    expect((await moveAccount(way, account)).problem).toContain('expected was COMPLETED');
  });
});
