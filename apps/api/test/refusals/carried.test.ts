import { keepProblems } from '@causeway/domain';
import { describe, expect, test } from 'vitest';
import { CLOSED, NOW, HISTORY as WITH_MOVED } from '../bundles/support.ts';
import { serviceOfFile } from '../support/test-service.ts';
import { accepted, PROCESS, refused, remembered, STAGE } from './refused-calls.ts';

const service = await serviceOfFile();
service.setTime(NOW);
const supplier = await service.createSupplier();

/** Nothing of it is remarked. */
const HISTORY = {
  ...WITH_MOVED,
  transactions: WITH_MOVED.transactions.filter(({ transaction_id }) => /^T-\d/.test(transaction_id)),
};
const { payment_instruction } = HISTORY;
const IMPORTS = {
  notes: ['notes/create/', { notes: [{ body: 'x' }] }],
  transactions: ['transactions/create/', { transactions: accepted({ reference: {} as never }).transactions }],
  statements: ['historical-statements/create/', { statements: HISTORY.statements }],
  payment_instruction: ['payment-instruction/create/', payment_instruction],
} as const;
type Import = keyof typeof IMPORTS;

let numbers = 0;

const referenceOf = (external_account_number: string) => ({ import_supplier: supplier.code, external_account_number });

/** An account number of which every import was refused, because there is no account yet. */
async function refusedNumber(): Promise<string> {
  numbers += 1;
  const external_account_number = `CARRIED-${numbers}`;
  for (const [path, body] of Object.values(IMPORTS)) {
    const { status } = await supplier.post(path, { ...referenceOf(external_account_number), ...body });
    expect([400, 404]).toContain(status);
  }
  return external_account_number;
}

async function createWith(external_account_number: string, history: object) {
  const staged = await supplier.post(STAGE, supplier.account({ external_account_number, ...history }));
  expect(staged.status).toBe(201);
  return supplier.post(PROCESS, supplier.processRequest(external_account_number));
}

const openOf = async (number: string) =>
  (await remembered(service, number)).filter(({ open }) => open).map(({ operation }) => operation);
const completeOf = async (external_account_number: string) =>
  (await service.staff.accountImports.get.query({ code: supplier.code, external_account_number })).complete;

const ALL: Import[] = ['notes', 'payment_instruction', 'statements', 'transactions'];

describe('an account that is created with its history', () => {
  test('4.15.2 resolves what was refused of the imports that it carries, and is complete', async () => {
    const number = await refusedNumber();
    expect(await openOf(number)).toEqual(ALL);
    expect((await createWith(number, HISTORY)).status).toBe(201);
    expect(await openOf(number)).toEqual([]);
    expect(await completeOf(number)).toBe(true);
    const { body } = await supplier.get(`accounts/${supplier.code}/${number}/`);
    expect(body).toMatchObject({ complete: true, refusals: [] });
  });

  test.each<[carries: string, history: object, resolved: Import]>([
    ['notes', { notes: HISTORY.notes }, 'notes'],
    ['transactions', { transactions: HISTORY.transactions }, 'transactions'],
    ['closed transactions', { historical_transactions: CLOSED }, 'transactions'],
    ['a ledger', { ledgers: [{ current_statement_transactions: HISTORY.transactions }] }, 'transactions'],
    ['statements', { statements: HISTORY.statements }, 'statements'],
    ['an instruction', { payment_instruction }, 'payment_instruction'],
    ['a list of one instruction', { payment_instructions: [payment_instruction] }, 'payment_instruction'],
  ])('4.15.2 and that carries only %s leaves the others open', async (_carries, history, resolved) => {
    const number = await refusedNumber();
    expect((await createWith(number, history)).status).toBe(201);
    expect(await openOf(number)).toEqual(ALL.filter((operation) => operation !== resolved));
    expect(await completeOf(number)).toBe(false);
  });

  test('4.15.2 leaves the refusal of a payment instruction open whose type it does not carry', async () => {
    const number = await refusedNumber();
    const debit = { ...referenceOf(number), ...payment_instruction, type: 'DIRECT_DEBIT' };
    expect((await supplier.post('payment-instruction/create/', debit)).status).toBe(400);
    expect((await createWith(number, HISTORY)).status).toBe(201);
    expect([await openOf(number), await completeOf(number)]).toEqual([['payment_instruction'], false]);
    expect((await supplier.post('payment-instruction/create/', debit)).status).toBe(201);
    expect([await openOf(number), await completeOf(number)]).toEqual([[], true]);
  });

  test('4.15.2 and that carries empty lists leaves all of them open', async () => {
    const number = await refusedNumber();
    const history = { notes: [], transactions: [], statements: [] };
    expect((await createWith(number, history)).status).toBe(201);
    expect(await openOf(number)).toEqual(ALL);
  });

  test('4.15.2 resolves nothing in a dry run, and counts anew what is refused after it', async () => {
    const number = await refusedNumber();
    await supplier.post(STAGE, supplier.account({ external_account_number: number, ...HISTORY }));
    const dry = await supplier.post(PROCESS, { ...supplier.processRequest(number), dry_run: true });
    expect(dry.body.code).toBe('dry_run_rolled_back');
    expect(await openOf(number)).toEqual(ALL);
    const marked = { 'Idempotency-Key': `carried-${number}` };
    expect((await supplier.post(PROCESS, supplier.processRequest(number), marked)).status).toBe(201);
    expect(await openOf(number)).toEqual([]);
    await supplier.post('transactions/create/', refused({ reference: referenceOf(number) }));
    expect(await openOf(number)).toEqual(['transactions']);
    expect(await completeOf(number)).toBe(false);
  });

  test('4.15.5 resolves what was refused while it was being created, within seconds', async () => {
    for (const [history, open] of [
      [{ ...HISTORY }, []],
      [
        { ledgers: [{ historical_statement_transactions: CLOSED }], notes: [] },
        ALL.filter((operation) => operation !== 'transactions'),
      ],
    ] as const) {
      const number = await refusedNumber();
      expect((await createWith(number, history)).status).toBe(201);
      // As both statements leave it where neither saw what the other wrote.
      await service.database.prisma.accountImportRefusal.updateMany({
        where: { external_account_number: number },
        data: { resolved_at: null, is_created: false },
      });
      await keepProblems(service.database, new Date(NOW));
      expect(await openOf(number)).toEqual(open);
    }
    const { counts } = await service.staff.importSuppliers.get.query({ code: supplier.code });
    const where = { code: supplier.code, complete: false };
    expect(await service.staff.accountImports.list.query(where)).toHaveLength(counts.completed - counts.complete);
  });
});
