import { AccountPayload, asStored, type Transaction } from '@causeway/contracts';
import { describe, expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { sameOverTrpc } from '../support/parity.ts';
import { type ImportedAccount, obtainToken, restCalls, serviceOfFile } from '../support/test-service.ts';
import { charge, EVERY_TYPE } from '../transactions/examples.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

const NOTE = { body: 'Söderström: call back', created_at: '2025-11-20T10:15:00Z' };
const DOCUMENT = { document_paths: [{ document_path: 'letters/1.pdf' }], created_at: '2025-11-21T10:15:00Z' };
const TRANSACTIONS = Object.values(EVERY_TYPE).map(
  (fields, index) => ({ transaction_id: `T-${index}`, transaction_date: '2026-03-05', ...fields }) as Transaction,
);
const STATEMENT = statement('ST-1', { number: '1482-12', statement_path: 'statements/1.pdf' });
const INSTRUCTION = { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' };

/** An account with something of each kind. */
async function fullAccount(overrides: Record<string, unknown> = {}): Promise<ImportedAccount> {
  const account = await supplier.importAccount(overrides);
  const { reference } = account;
  const answers = [
    await supplier.post('notes/create/', { ...reference, notes: [NOTE, DOCUMENT] }),
    await supplier.post('transactions/create/', { ...reference, transactions: TRANSACTIONS }),
    await supplier.post('historical-statements/create/', { ...reference, statements: [STATEMENT] }),
    await supplier.post('payment-instruction/create/', { ...reference, ...INSTRUCTION }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  return account;
}

const inputOf = (external_account_number: string) => ({ import_supplier_code: supplier.code, external_account_number });
const pathOf = (number: string, below = '') => `accounts/${supplier.code}/${encodeURIComponent(number)}/${below}`;

describe('an account', () => {
  test('4.16.1 4.16.2 is read back as validation answered it, with its numbers and its team', async () => {
    const sent = supplier.account();
    const { body: validated } = await supplier.post('validate-account/', sent);
    const { externalAccountNumber, serviceAccountNumber } = await fullAccount(sent);
    const { status, body } = await sameOverTrpc(supplier, 'accounts.get', { input: inputOf(externalAccountNumber) });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      import_supplier: supplier.code,
      external_account_number: externalAccountNumber,
      state: 'COMPLETED',
      service_account_number: serviceAccountNumber,
      operations_team_name: supplier.teamName,
      transfer_balance: '-48.20',
      erased_at: null,
    });
    const [schedule] = validated.payment_schedules;
    expect(body.account).toEqual({ ...validated, payment_schedules: [{ ...schedule, amount: '86.50' }] });
  });

  test('4.16.1 reads the same after its staged payload was removed', async () => {
    const { externalAccountNumber, id } = await supplier.importAccount();
    const before = await supplier.get(pathOf(externalAccountNumber));
    await service.database.prisma.accountImport.update({
      where: { id },
      data: { payload: null as never, payload_removed_at: new Date() },
    });
    expect((await supplier.get(pathOf(externalAccountNumber))).body).toEqual(before.body);
  });

  test('4.16.1 that is only staged is read as it is staged', async () => {
    const sent = supplier.account({ transfer_balance: '7', external_account_number: 'a/b ü' });
    const { body: validated } = await supplier.post('validate-account/', sent);
    await supplier.stage(sent);
    const { body } = await sameOverTrpc(supplier, 'accounts.get', { input: inputOf('a/b ü') });
    expect(body).toMatchObject({
      state: 'STAGED',
      service_account_number: null,
      operations_team_name: null,
      account_created_at: null,
      transfer_balance: '7.00',
      figures: { transactions: { count: 0, sum: '0.00' }, notes: 0, statements: { count: 0, gross_total: '0.00' } },
    });
    expect(body.account).toEqual(asStored(AccountPayload, validated));
    expect(body.account.transfer_balance).toBe('7.00');
  });

  test('1.2 4.16.5 has figures that the database adds up', async () => {
    const { externalAccountNumber, reference } = await fullAccount();
    const copy = { ...reference, transactions: [{ ...TRANSACTIONS[0], amount: -0.54 }] };
    await supplier.post('transactions/create/?check_previously_added=false', copy);
    const { figures } = (await supplier.get(pathOf(externalAccountNumber))).body;
    expect(figures).toEqual({
      transactions: {
        count: 6,
        sum: '238.67',
        by_type: {
          CHARGE: { count: 2, sum: '76.00' },
          CREDIT: { count: 1, sum: '12.30' },
          PAYMENT: { count: 1, sum: '50.00' },
          REPAYMENT: { count: 1, sum: '20.01' },
          SUPPLY_CHARGE: { count: 1, sum: '80.36' },
        },
      },
      notes: 2,
      statements: { count: 1, gross_total: '112.07' },
      payment_instructions: 1,
    });
  });
});

describe('what was added to an account', () => {
  test('4.16.3 a transaction that was moved has both days', async () => {
    const { externalAccountNumber, reference } = await supplier.importAccount();
    const sent = charge('T-1', { transaction_date: '2026-01-31' });
    const imported = await supplier.post('transactions/create/', { ...reference, transactions: [sent] });
    const [{ transaction_data }] = imported.body.results;
    const { body } = await supplier.get(pathOf(externalAccountNumber, 'transactions/'));
    expect(body).toEqual([{ ...transaction_data, original_transaction_date: '2026-01-31' }]);
    expect(body[0].transaction_date).toBe('2026-03-01');
  });

  test('4.16.4 the payment instruction is read with what its vendor told', async () => {
    const { externalAccountNumber, id } = await fullAccount();
    const input = inputOf(externalAccountNumber);
    const { body } = await sameOverTrpc(supplier, 'accounts.paymentInstruction', { input });
    const stored = await service.database.prisma.paymentInstruction.findFirstOrThrow({
      where: { account_import_id: id },
    });
    expect(body).toEqual({ ...INSTRUCTION, details: stored.details });
    const without = await supplier.importAccount();
    const none = await sameOverTrpc(supplier, 'accounts.paymentInstruction', {
      input: inputOf(without.externalAccountNumber),
    });
    expect([none.status, none.body.code]).toEqual([404, 'payment_instruction_not_found']);
  });

  test('4.16.3 an account that is only staged has none', async () => {
    const number = await supplier.stage();
    for (const below of ['notes/', 'transactions/', 'statements/']) {
      const { status, body } = await supplier.get(pathOf(number, below));
      expect([status, body]).toEqual([200, []]);
    }
  });
});

describe('who reads', () => {
  const READS = ['', 'notes/', 'transactions/', 'statements/', 'payment-instruction/', 'payment-instructions/'];
  const viewsOf = (subject_id: string) =>
    service.database.prisma.auditEvent.findMany({ where: { subject_id, action: 'payload_viewed' } });

  test('4.16.8 the service team leaves an event for each request, a supplier none', async () => {
    const { externalAccountNumber, id } = await fullAccount();
    for (const below of READS) expect((await supplier.get(pathOf(externalAccountNumber, below))).status).toBe(200);
    expect(await viewsOf(id)).toEqual([]);
    const staff = restCalls(service.url, await obtainToken(service.url, service.staffApiKey));
    const requests: (string | null)[] = [];
    for (const below of READS) {
      const { status, headers } = await staff.get(pathOf(externalAccountNumber, below), { 'X-Request-Id': 'mine' });
      expect(status).toBe(200);
      requests.push(headers.get('x-request-id'));
    }
    const views = await viewsOf(id);
    expect(views.map(({ actor, caller_request_id }) => [actor, caller_request_id])).toEqual(
      requests.map((request) => ['staff', request]),
    );
  });

  test('4.16.8 the service team is shown nothing where its view cannot be recorded', async () => {
    const { externalAccountNumber } = await fullAccount();
    const staff = restCalls(service.url, await obtainToken(service.url, service.staffApiKey));
    const { pool } = service.database;
    await pool.query("ALTER TABLE audit_events ADD CONSTRAINT no_views CHECK (action <> 'payload_viewed') NOT VALID");
    try {
      for (const below of READS) {
        const { status, body } = await staff.get(pathOf(externalAccountNumber, below));
        expect([below, status]).toEqual([below, 500]);
        expect(JSON.stringify(body)).not.toMatch(/Hartley|Söderström|CRM|pm_ok|\.pdf/);
      }
    } finally {
      await pool.query('ALTER TABLE audit_events DROP CONSTRAINT no_views');
    }
  });

  test('4.16.7 4.16.8 of an erased account what is left has no personal data, and no view is recorded', async () => {
    const { externalAccountNumber, id } = await fullAccount();
    await service.staff.accounts.erase.mutate({
      code: supplier.code,
      external_account_number: externalAccountNumber,
      reason: 'Asked',
    });
    const staff = restCalls(service.url, await obtainToken(service.url, service.staffApiKey));
    const read = await Promise.all(READS.map((below) => staff.get(pathOf(externalAccountNumber, below))));
    const [account, notes, transactions, statements, instruction] = read.map(({ body }) => body);
    expect(account).toMatchObject({ state: 'COMPLETED', erased_at: expect.any(String), transfer_balance: '-48.20' });
    expect(account.account).toEqual({
      import_supplier: supplier.code,
      external_account_number: externalAccountNumber,
      account_type: 'DOMESTIC',
      transfer_balance: '-48.20',
      last_billed_to_date: '2026-02-28',
      customers: [{}],
      supply_addresses: [
        {
          customer_at_supply_address_from_date: '2019-04-01',
          meter_points: [expect.objectContaining({ supply_type: 'ELECTRICITY', supply_start_date: '2019-04-01' })],
        },
      ],
      payment_schedules: [expect.objectContaining({ means: 'DD', amount: '86.50' })],
    });
    expect(notes).toEqual([
      { position: 1, created_at: NOTE.created_at, is_pinned: false, is_archived: false },
      { position: 2, created_at: DOCUMENT.created_at, is_pinned: false, is_archived: false },
    ]);
    expect(transactions.map(({ amount }: { amount: string }) => amount)).toEqual([
      '76.54',
      '12.30',
      '50.00',
      '20.01',
      '80.36',
    ]);
    expect(statements[0]).toMatchObject({ gross_amount: '112.07' });
    expect(instruction).toEqual({ vendor: 'SANDBOX', type: 'CARD', details: {} });
    expect(JSON.stringify(read.map(({ body }) => body))).not.toMatch(
      /erased\]|Hartley|Söderström|CRM|pm_ok|\.pdf|Alder|LS1/,
    );
    expect(await viewsOf(id)).toEqual([]);
  });
});

test('4.16.3 a note is read back with its external_id and whether it is archived, and one of the service as such', async () => {
  const { reference, externalAccountNumber } = await supplier.importAccount();
  const note = {
    body: 'x',
    created_at: '2025-01-01T00:00:00Z',
    is_pinned: true,
    is_archived: true,
    external_id: 'N-1',
  };
  await supplier.post('notes/create/', { ...reference, notes: [note] });
  const transactions = [charge('T-1', { transaction_date: '2020-01-01' })];
  await supplier.post('transactions/create/', { ...reference, transactions });
  const input = { import_supplier_code: supplier.code, external_account_number: externalAccountNumber };
  const { body } = await sameOverTrpc(supplier, 'accounts.notes', { input });
  expect(body).toEqual([
    { position: 1, ...note },
    expect.objectContaining({ position: 2, is_pinned: true, is_archived: false, is_generated: true }),
  ]);
});

test('4.16.3 transactions are read as they were sent, exact to the last decimal, with what is seen on other types', async () => {
  const { reference, externalAccountNumber } = await supplier.importAccount();
  const others = {
    ...{ display_note: 'For you', note: 'For us', reference: '007', payment_type: 'DEBIT_CARD', product_code: 'E-1R' },
    supply_point_identifier: '1900012345678',
  };
  const tax = { tax_type: 'VAT', unit_type: 'PROPORTION' };
  const tax_items = [{ ...tax, amount: '0.0000000001', value_taxed: 10, rate: '0.0500' }];
  const sent = Object.values(EVERY_TYPE).map(({ type, amount }, index) => ({
    ...(EVERY_TYPE[type] as object),
    ...{ ...others, transaction_id: `T-${index}`, transaction_date: '2026-04-05', type, amount, tax_items },
  }));
  const answer = await supplier.post('transactions/create/', { ...reference, transactions: sent });
  expect(answer.status).toBe(201);
  const input = { import_supplier_code: supplier.code, external_account_number: externalAccountNumber };
  const { body } = await sameOverTrpc(supplier, 'accounts.transactions', { input });
  expect(body).toHaveLength(sent.length);
  for (const [index, { amount }] of sent.entries()) {
    expect(body[index]).toMatchObject({
      ...others,
      amount: amount.toFixed(2),
      tax_items: [{ ...tax, amount: '0.0000000001', value_taxed: '10', rate: '0.05' }],
    });
  }
});
