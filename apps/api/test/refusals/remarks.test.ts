import type { Problem } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { expect, test } from 'vitest';
import { createJob, fileCall, ndjson, putPart, readJob } from '../bulk/bulk-calls.ts';
import { serviceWithLanes } from '../support/service-with-lanes.ts';
import { type TestSupplier, until } from '../support/test-service.ts';
import { PROCESS, STAGE, TRANSACTIONS } from './refused-calls.ts';

const service = await serviceWithLanes();

/** What is remarked about a supplier's accounts. */
async function remarksOf({ get, code }: TestSupplier): Promise<string[]> {
  const { body } = await get(`problems/${code}/`);
  return body
    .map(({ operation, refused, code: kind, attr }: Problem) => `${operation} ${refused} ${kind} ${attr}`)
    .sort();
}

const POINT = 'supply_addresses.*.meter_points.*.identifier';
const doubtful = {
  customers: [{ given_name: 'SiÃ¢n', family_name: 'nan' }],
  supply_addresses: [
    {
      ...{
        supply_address1: '12 Alder Row',
        supply_postcode: 'LS1 4AP',
        customer_at_supply_address_from_date: '2019-04-01',
      },
      meter_points: [{ identifier: '1200023305968', supply_type: 'ELECTRICITY' as const }],
    },
  ],
};
const THREE = [
  'placeholder customers.*.family_name',
  `unlikely_meter_point ${POINT}`,
  'wrongly_decoded_text customers.*.given_name',
];
const payment = (transaction_id: string, more = {}) => ({
  ...{ transaction_id, transaction_date: '2026-03-15', type: 'PAYMENT', amount: 5 },
  ...more,
});

test('4.18.2 doubtful data is stored as it was sent, and named in the answer and the list, until it is staged rightly', async () => {
  const supplier = await service.createSupplier();
  const account = supplier.account(doubtful);
  const { external_account_number } = account;
  expect((await supplier.post('validate-account/', account)).headers.get('remarks')).toContain('placeholder');
  expect(await remarksOf(supplier)).toEqual([]);
  const { status, headers } = await supplier.post(STAGE, account);
  expect(status).toBe(201);
  expect(headers.get('remarks')?.split(', ').sort()).toEqual(
    THREE.map((remark) => `${remark.replace(' ', ';field=')};count=1`),
  );
  expect(await remarksOf(supplier)).toEqual(THREE.map((remark) => `stage false ${remark}`));
  const [stored] = await service.database.prisma.accountImport.findMany({ where: { external_account_number } });
  expect(stored?.payload).toMatchObject(doubtful);
  await supplier.trpc.dataImport.stageAccount.mutate(supplier.account({ external_account_number }));
  expect(await remarksOf(supplier)).toEqual([]);
  await supplier.trpc.dataImport.stageAccount.mutate({ ...account } as never);
  await supplier.post(PROCESS, supplier.processRequest(external_account_number));
  expect(await remarksOf(supplier)).toEqual(THREE.map((remark) => `stage false ${remark}`));
});

test('4.15.10 a remark stays while its record is stored, whatever else succeeds', async () => {
  const supplier = await service.createSupplier();
  const { reference } = await supplier.importAccount();
  const unbalanced = payment('T-1', {
    ...{ type: 'SUPPLY_CHARGE', amount: 10.51 },
    product_code: 'E-1R',
    line_items: [{ start_date: '2026-01-01', end_date: '2026-01-15', number_of_units: 1, net_amount: 10 }],
    tax_items: [{ tax_type: 'VAT', value_taxed: 10, rate: 5, unit_type: 'PERCENTAGE', amount: 0.5 }],
  });
  const sent = await supplier.post(TRANSACTIONS, {
    ...reference,
    transactions: [unbalanced, payment('T-2', { reference: '881.0' })],
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  const both = [
    'transactions false balance_does_not_add_up transactions.*.amount',
    'transactions false damaged_number transactions.*.reference',
  ];
  expect(await remarksOf(supplier)).toEqual(both);
  await supplier.post(TRANSACTIONS, { ...reference, transactions: [payment('T-3')] });
  await supplier.post(TRANSACTIONS, { ...reference, transactions: [payment('T-3')] });
  await supplier.post('notes/create/', { ...reference, notes: [{ body: 'A clean note.' }] });
  expect(await remarksOf(supplier)).toEqual(both);
});

test('4.15.10 what differs of several records ends with each of them', async () => {
  const supplier = await service.createSupplier();
  const { reference } = await supplier.importAccount();
  const send = (...transactions: object[]) => supplier.post(TRANSACTIONS, { ...reference, transactions });
  await send(payment('T-1'), payment('T-2'));
  await send(payment('T-1', { amount: 6 }), payment('T-2', { note: 'Other' }));
  const amount = 'transactions false existing_data_differs transactions.*.amount';
  const note = 'transactions false existing_data_differs transactions.*.note';
  expect(await remarksOf(supplier)).toEqual([amount, note]);
  await send(payment('T-2'));
  expect(await remarksOf(supplier)).toEqual([amount]);
  await send(payment('T-4'), payment('T-1'));
  expect(await remarksOf(supplier)).toEqual([]);
});

test('4.18.2 the import supplier decides, of one code before all', async () => {
  const supplier = await service.createSupplier({
    suspect_data: 'REFUSE',
    suspect_data_by_code: { placeholder: 'OFF' },
  });
  const { status, body } = await supplier.post(STAGE, supplier.account(doubtful));
  expect(status).toBe(400);
  expect(body.errors.map(({ code }: Problem) => code).sort()).toEqual(['unlikely_meter_point', 'wrongly_decoded_text']);
  const silent = await service.createSupplier({ suspect_data: 'OFF' });
  const answer = await silent.post(STAGE, silent.account(doubtful));
  expect([answer.status, answer.headers.get('remarks')]).toEqual([201, null]);
  await expect(
    service.staff.importSuppliers.update.mutate({
      code: silent.code,
      suspect_data_by_code: { balance_does_not_add_up: 'OFF' },
    }),
  ).rejects.toThrow('suspect_data_by_code.balance_does_not_add_up');
});

test('4.18.3 a line of a bulk job is remarked like the calls, and its result says so', async () => {
  const supplier = await service.createSupplier();
  const account = supplier.account(doubtful);
  const id = await createJob(supplier);
  await putPart(
    supplier,
    { id },
    ndjson([{ account, undocumented: 1, transactions: [payment('T-1', { reference: '881.0' })] }]),
  );
  await supplier.post(`bulk-jobs/${id}/start/`, { run_mode: 'REAL' });
  await until(async () => (await readJob(supplier, id)).state === 'FINISHED');
  const [result] = (await fileCall(supplier, `bulk-jobs/${id}/results/`)).text.trim().split('\n');
  const { outcome, remarks } = JSON.parse(String(result));
  const told = ['damaged_number transactions.*.reference', ...THREE, 'undocumented_field undocumented'].sort();
  expect(outcome).toBe('created');
  expect(remarks.map(({ code, attr }: Problem) => `${code} ${attr}`).sort()).toEqual(told);
  const remembered = told.map((remark) => `stage false ${remark.replace(/ undocumented$/, ' *')}`).sort();
  expect(await remarksOf(supplier)).toEqual(remembered);
  const [imported] = await service.database.prisma.account.findMany({
    where: { account_import_id: accountImportId(supplier.code, account.external_account_number) },
  });
  expect(imported).toBeDefined();
});

test('4.18.4 24.2.4 a person decides about a kind of remark, which keeps a migration from being ready until then', async () => {
  const supplier = await service.createSupplier();
  const { code } = supplier;
  await supplier.post(STAGE, supplier.account({ customers: [{ given_name: 'Ann', family_name: 'nan' }] }));
  const attr = 'customers.*.family_name';
  const standing = async () => {
    const { conditions } = await service.staff.overview.readiness.query({ code });
    const [problem] = (await supplier.get(`problems/${code}/`)).body;
    return [conditions.find(({ name }) => name === 'no_undecided_remark')?.count, problem.decision, problem.reason];
  };
  const decide = (decision: 'ACCEPTED' | 'FIXED' | 'OPEN', reason: string) =>
    service.staff.importSuppliers.decideRemark.mutate({
      ...{ code, operation: 'stage', remark: 'placeholder', attr },
      ...{ decision, reason },
    });
  const stageAnother = () =>
    supplier.post(STAGE, supplier.account({ customers: [{ given_name: 'Bo', family_name: 'NULL' }] }));
  expect(await standing()).toEqual([1, null, null]);
  await decide('ACCEPTED', 'They are called so');
  await stageAnother();
  expect(await standing()).toEqual([0, 'ACCEPTED', 'They are called so']);
  await decide('OPEN', 'They are not');
  expect(await standing()).toEqual([1, null, null]);
  await decide('FIXED', 'Corrected at the source');
  expect(await standing()).toEqual([0, 'FIXED', 'Corrected at the source']);
  await stageAnother();
  expect(await standing()).toEqual([1, null, null]);
  const trail = await service.database.prisma.auditEvent.findMany({ where: { action: 'remark_decided' } });
  expect(trail.map(({ detail }) => (detail as { decision: string }).decision)).toEqual(['ACCEPTED', 'OPEN', 'FIXED']);
});
