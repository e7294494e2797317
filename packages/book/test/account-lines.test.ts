import { expect, test } from 'vitest';
import type { AccountLine } from '../src/index.ts';
import {
  aCharge,
  anAccount,
  anInstruction,
  aStatement,
  lineOf,
  problemsOf,
  refusalOf,
  SETTINGS,
  withSupplier,
} from './support.ts';

const read = (line: unknown, settings = SETTINGS) => lineOf(line, settings) as AccountLine;
const history = {
  notes: [{ body: 'Paper bill.' }],
  transactions: [aCharge(1)],
  statements: [aStatement(1)],
  payment_instruction: anInstruction,
};

test('21.1.2 an account is read with its history, wherever the line has it', () => {
  const beside = read({ account: anAccount(), external_account_number: 'HV-1', ...history });
  const inside = read({ account: anAccount(history) });
  expect(beside).toEqual(inside);
  expect(beside.external_account_number).toBe('HV-1');
  expect(beside.account.request).toMatchObject({ ...anAccount(history), communication_preference: 'ONLINE' });
});

test('21.1.2 all problems are reported at once, with the paths and the sentence of the account', () => {
  const account = anAccount({ customers: [{ given_name: 'Zoë', landline: '1' }], account_type: 'NONE' });
  const { refusal } = refusalOf({ account, transactions: [aCharge(1, { amount: 1.234 })] });
  expect(refusal).toMatchObject({
    step: 'validate',
    code: 'account_failed_validation',
    detail: 'The payload failed validation: 3 problems, see errors.',
  });
  const found = refusal.errors.map(({ attr, code }) => `${attr}: ${code}`);
  expect(found.sort()).toEqual([
    'account_type: invalid_choice',
    'customers.0.landline: invalid_phone_number',
    'transactions.0.amount: max_decimal_places',
  ]);
});

test.each([
  ['notes', { notes: [] }, { notes: [{ body: 'A' }] }],
  ['statements', { statements: [aStatement(1)] }, { statements: [aStatement(1)] }],
  ['payment_instruction', { payment_instruction: anInstruction }, { payment_instruction: anInstruction }],
  ['transactions', { ledgers: [{ current_statement_transactions: [] }] }, { transactions: [aCharge(1)] }],
  ['tariff', { tariff: 1 }, { tariff: 2 }],
])('21.1.2 %s in the account and beside it is refused', (name, inside, beside) => {
  expect(problemsOf({ account: anAccount(inside), ...beside })).toEqual([`${name}: history_spelled_twice`]);
});

test('21.1.2 the account is one of this book, and the number beside it is its own', () => {
  expect(problemsOf({ account: anAccount({ import_supplier: 'OTHER' }) })).toEqual(['import_supplier: invalid_choice']);
  const other = { account: anAccount(), external_account_number: 'HV-2' };
  expect(problemsOf(other)).toEqual(['external_account_number: contradicts_another_field']);
  const { import_supplier: _left, ...unnamed } = anAccount();
  expect(problemsOf({ account: unnamed })).toEqual(['import_supplier: required']);
});

test.each([
  [null, 'null'],
  [[], 'invalid'],
  ['HV-1', 'invalid'],
  [0, 'invalid'],
])('21.1.2 an account that is %j is refused', (account, code) => {
  expect(problemsOf({ account })).toEqual([`account: ${code}`]);
});

test('21.1.2 the settings of the import supplier count', () => {
  const french = anAccount({ billing_postcode: '75001' });
  expect(problemsOf({ account: french })).toEqual(['billing_postcode: invalid_postcode']);
  expect(problemsOf({ account: french }, withSupplier({ country: 'FR' }))).toEqual([]);

  const typed = anAccount({ account_type: 'LIGHTHOUSE' });
  expect(problemsOf({ account: typed })).toEqual(['account_type: invalid_choice']);
  expect(problemsOf({ account: typed }, withSupplier({ account_types: ['LIGHTHOUSE'] }))).toEqual([]);

  const inPence = { account: anAccount(), statements: [aStatement(1, { gross_amount: '1.50' })] };
  expect(problemsOf(inPence)).toEqual([]);
  const minor = withSupplier({ statement_amount_unit: 'MINOR' });
  expect(problemsOf(inPence, minor)).toEqual(['statements.0.gross_amount: max_decimal_places']);

  const empty = { account: anAccount({ billing_name: '', references: [] }), notes: null, control: null };
  expect(problemsOf(empty).sort()).toEqual(['billing_name: blank', 'control: null', 'notes: null']);
  const omits = withSupplier({ empty_means_omitted: true });
  expect(read(empty, omits).account.request).toEqual(read({ account: anAccount() }).account.request);

  const vendor = { account: anAccount(), payment_instruction: { ...anInstruction, vendor: 'NOBODY' } };
  expect(problemsOf(vendor)).toEqual(['payment_instruction.vendor: invalid_choice']);
  const born = anAccount({ customers: [{ given_name: 'Zoë', date_of_birth: '2026-04-17' }] });
  expect(problemsOf({ account: born })).toEqual(['customers.0.date_of_birth: date_in_future']);
  expect(problemsOf({ account: born }, { ...SETTINGS, today: '2026-04-18' })).toEqual([]);
});

test('2.5.10 transactions of zero are left out and counted where the import supplier omits them; control counts what was sent', () => {
  const zeros = [aCharge(1, { amount: 0 }), aCharge(2), aCharge(3, { amount: '-0.00' })];
  const closed = [aCharge(4, { amount: '0', transaction_date: '2026-01-01' })];
  const omits = withSupplier({ zero_amounts: 'OMIT' });
  const line = { account: anAccount({ historical_transactions: closed }), transactions: zeros };
  const kept = { ...line, control: { transactions: 4 } };
  expect(read(kept, omits)).toMatchObject({
    account: { request: { transactions: [{ transaction_id: zeros[1]?.transaction_id }], historical_transactions: [] } },
    omitted: 3,
  });
  expect(read(kept).account.request.transactions).toHaveLength(3);
  const ledger = { current_statement_transactions: zeros, historical_statement_transactions: closed };
  expect(read({ account: anAccount({ ledgers: [ledger] }) }, omits)).toMatchObject({ omitted: 3 });
  const wrong = { account: anAccount(), transactions: [...zeros, aCharge(5, { amount: 'much' })] };
  expect(problemsOf(wrong, omits)).toEqual(['transactions.3.amount: invalid']);
});

test('21.1.2 what does not add up is reported, refused or accepted, as the import supplier is configured', () => {
  const money = { transfer_balance: '5.00', last_statement_balance: '0.00', last_billed_to_date: '2026-03-31' };
  const line = { account: anAccount(money), ...history };
  const detail = { sent: '5.00', computed: '-12.30' };
  const remark = { code: 'balance_does_not_add_up', attr: 'transfer_balance', detail };
  expect(read(line).account.remarks).toEqual([remark]);
  expect(read(line, withSupplier({ balance_check: 'OFF' })).account.remarks).toEqual([]);
  expect(problemsOf(line, withSupplier({ balance_check: 'REFUSE' }))).toEqual([
    'transfer_balance: balance_does_not_add_up',
  ]);
});

test('21.1.4 undocumented fields, of the account or of the line, are reported, refused or kept', () => {
  const line = { account: anAccount({ tariff: 'ECO' }), batch: 7 };
  expect([...(read(line).account.undocumented?.fields.keys() ?? [])].sort()).toEqual(['batch', 'tariff']);
  expect(read(line).account.kept).toBeUndefined();
  const rejected = problemsOf(line, withSupplier({ undocumented_fields: 'REJECT' })).sort();
  expect(rejected).toEqual(['batch: undocumented_field', 'tariff: undocumented_field']);
  const kept = read(line, withSupplier({ undocumented_fields: 'KEEP' })).account.kept ?? '';
  expect(JSON.parse(kept)).toEqual([
    { path: 'tariff', value: 'ECO' },
    { path: 'batch', value: 7 },
  ]);
});

test.each(['customers', 'import_supplier', 'dry_run', 'check_previously_added', 'ledgers', 'vendor'])(
  '21.1.4 %s beside the account is refused: it would be lost, or do what nobody expects',
  (name) => {
    expect(problemsOf({ account: anAccount(), [name]: true })).toEqual([`${name}: undocumented_field`]);
  },
);

test('21.1.4 an account that was not put into `account` is refused by its fields', () => {
  const { refusal } = refusalOf(anAccount({ transactions: [aCharge(1)] }));
  expect(refusal.errors.map(({ attr }) => attr)).toEqual(['import_supplier', 'customers']);
});

test('21.1.7 an account number that no new account may have is refused', () => {
  const codesOf = (number: string) =>
    refusalOf({ account: anAccount({ external_account_number: number }) }).refusal.errors.map(({ code }) => code);
  expect([codesOf(' HV-1'), codesOf('..')]).toEqual([['surrounding_white_space'], ['invalid']]);
});

test('21.1.2 an account number that no account can have is not reported as that of the line', () => {
  const line = { account: anAccount({ external_account_number: 'X'.repeat(129) }) };
  expect(refusalOf(line)).toMatchObject({ refusal: { code: 'account_failed_validation' } });
  expect(refusalOf(line).external_account_number).toBeUndefined();
  expect(refusalOf({ external_account_number: 'X'.repeat(129), notes: [{}] }).external_account_number).toBeUndefined();
});
