import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { ImportedAccount, TestSupplier } from '../support/test-supplier.ts';
import { charge } from '../transactions/examples.ts';
import { reconcile } from './reconcile.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService({ BULK_LANES: '1' });
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

/** What a source system has of a transaction; the amount as it is printed. */
interface Sent {
  transaction_id: string;
  transaction_date: string;
  type: string;
  amount: string;
}

/** The fingerprint as the reference describes it, written by a supplier. */
function fingerprintOf(sent: readonly Sent[]): string {
  let sum = 0n;
  for (const { transaction_id, transaction_date, type, amount } of sent) {
    const hash = createHash('sha256').update(`${transaction_id}|${transaction_date}|${type}|${amount}`).digest();
    sum += hash.readBigUInt64BE() >> 4n;
  }
  return String(sum);
}

/** A line that claims what the source has. */
const claims = ({ externalAccountNumber }: ImportedAccount, sent: readonly Sent[], sum: string, notes = 0) => ({
  external_account_number: externalAccountNumber,
  notes,
  transactions: sent.length,
  transactions_sum: sum,
  by_type: { CHARGE: { count: sent.length, amount: sum } },
  fingerprint: fingerprintOf(sent),
});

async function add({ reference }: ImportedAccount, sent: readonly Sent[], by = supplier): Promise<void> {
  const transactions = sent.map((one) => charge(one.transaction_id, { ...one }));
  const { status, body } = await by.post('transactions/create/', { ...reference, transactions });
  if (status !== 201) throw new Error(`Adding transactions answered ${status}: ${JSON.stringify(body)}`);
}

const differencesOf = async (id: string) => (await supplier.get(`reconciliations/${id}/differences/?limit=10`)).body;

const IN_ORDER: Sent[] = [
  { transaction_id: 'T-1', transaction_date: '2026-04-05', type: 'CHARGE', amount: '10.00' },
  { transaction_id: 'T-2', transaction_date: '2026-04-06', type: 'CHARGE', amount: '20.50' },
];
/** The same, with the amounts of the two swapped: counts and sums agree. */
const SWAPPED: Sent[] = IN_ORDER.map((one, index) => ({ ...one, amount: IN_ORDER[1 - index]?.amount ?? '' }));

test('23.1.7 a fingerprint finds two transactions whose amounts were swapped, although every sum agrees', async () => {
  const right = await supplier.importAccount();
  const swapped = await supplier.importAccount();
  await add(right, IN_ORDER.toReversed());
  await add(swapped, SWAPPED);
  const lines = [right, swapped].map((account) => claims(account, IN_ORDER, '30.50'));
  const { id, verdict, totals, accounts } = await reconcile(supplier, { lines });
  expect({ verdict, accounts }).toMatchObject({ verdict: 'DIFFERENT', accounts: { different: 1 } });
  expect(totals?.map(({ difference }) => Number(difference))).toEqual(totals?.map(() => 0));
  expect(await differencesOf(id)).toMatchObject([
    {
      external_account_number: swapped.externalAccountNumber,
      field: 'fingerprint',
      expected: fingerprintOf(IN_ORDER),
      actual: fingerprintOf(SWAPPED),
    },
  ]);
});

test('23.1.2 dates that the service moves, and the note that it writes of it, are no differences', async () => {
  const own = await service.createSupplier();
  const account = await own.importAccount({ last_billed_to_date: '2026-03-31' });
  const early: Sent[] = [
    { transaction_id: 'T-1', transaction_date: '2026-03-30', type: 'CHARGE', amount: '10.00' },
    { transaction_id: 'T-2', transaction_date: '1999-12-31', type: 'CHARGE', amount: '0.01' },
    { transaction_id: 'T-3', transaction_date: '2026-04-01', type: 'CHARGE', amount: '20.50' },
  ];
  await add(account, early, own);
  const notes = [{ body: 'Asked for a paper bill.' }];
  expect((await own.post('notes/create/', { ...account.reference, notes })).status).toBe(201);
  const { prisma } = service.database;
  const where = { account_import_id: account.id };
  expect(await prisma.transaction.count({ where: { ...where, original_transaction_date: { not: null } } })).toBe(2);
  expect(await prisma.note.count({ where })).toBe(2);
  const lines = [claims(account, early, '30.51', 1)];
  expect(await reconcile(own, { lines })).toMatchObject({ verdict: 'EQUAL', differences: 0 });
});
