import { expect, test } from 'vitest';
import type { HistoryLine } from '../src/index.ts';
import {
  aCharge,
  anInstruction,
  aStatement,
  lineOf,
  problemsOf,
  refusalOf,
  SETTINGS,
  withSupplier,
} from './support.ts';

const read = (line: unknown, settings = SETTINGS) => lineOf(line, settings) as HistoryLine;
const named = { external_account_number: 'HV-1' };
const names = { import_supplier: 'HARBOUR-VALE', ...named };

test('21.1.3 a line without an account is the requests of its imports', () => {
  const notes = [{ body: 'Paper bill.' }];
  const transactions = [aCharge(1)];
  const statements = [aStatement(1)];
  const line = read({ ...named, payment_instruction: anInstruction, statements, notes, transactions });
  expect(line.external_account_number).toBe('HV-1');
  expect(line.notes?.request).toEqual({ ...names, notes });
  expect(line.transactions?.request).toEqual({ ...names, transactions, ...SETTINGS.importOptions });
  expect(line.statements?.request).toEqual({ ...names, statements });
  expect(line.payment_instructions.map(({ request }) => request)).toEqual([{ ...names, ...anInstruction }]);
});

test('21.1.3 an account number that is no text is a problem of its line, whatever it is', () => {
  for (const number of [{ toString: 1 }, ['HV-1'], 7, null]) {
    const line = { external_account_number: number, notes: [{ body: 'Paper bill.' }] };
    expect(problemsOf(line)).toContain(`external_account_number: ${number === null ? 'null' : 'invalid'}`);
  }
});

test('21.1.3 what a line does not have is not imported, and an empty list brings nothing', () => {
  const line = read({ ...named, notes: [], transactions: [aCharge(1)] });
  expect(Object.keys(line).sort()).toEqual([
    'control',
    'external_account_number',
    'kind',
    'payment_instructions',
    'transactions',
  ]);
});

test('21.1.3 the options of the job are the parameters of the import', () => {
  const importOptions = { check_previously_added: false, force_add_to_current_statement: false };
  const twice = { ...named, transactions: [aCharge(1), aCharge(1, { amount: 5 })] };
  expect(problemsOf(twice)).toEqual(['transactions.1.amount: repeated_with_other_values']);
  expect(read(twice, { ...SETTINGS, importOptions }).transactions?.request).toMatchObject(importOptions);
});

test('21.1.3 all problems of all imports are reported at once, the instruction’s below its name', () => {
  const { refusal } = refusalOf({
    ...named,
    payment_instruction: { vendor: 'STRIPE', reference: '', extra: 1 },
    transactions: [aCharge(1, { amount: 0.001 })],
    statements: [aStatement(1, { issued_date: '2026-02-30' })],
  });
  expect(refusal).toMatchObject({ step: 'transactions', code: 'request_failed_validation' });
  expect(refusal.errors.map(({ attr, code }) => `${attr}: ${code}`)).toEqual([
    'transactions.0.amount: max_decimal_places',
    'statements.0.issued_date: invalid_date',
    'payment_instruction.reference: blank',
    'payment_instruction.type: required',
  ]);
});

test('21.1.3 several instructions are one of each type, their problems each below its place', () => {
  const other = { ...anInstruction, type: 'DIRECT_DEBIT' };
  const { payment_instructions } = read({ ...named, payment_instructions: [anInstruction, other] });
  expect(payment_instructions.map(({ request }) => request)).toEqual([
    { ...names, ...anInstruction },
    { ...names, ...other },
  ]);
  const problems = (...all: unknown[]) => problemsOf({ ...named, payment_instructions: all });
  expect(problems(anInstruction, other, { ...anInstruction, reference: 'pm_2' })).toEqual([
    'payment_instructions.2: max_items',
  ]);
  expect(problems(anInstruction, { ...other, reference: '', dry_run: true })).toEqual([
    'payment_instructions.1.dry_run: undocumented_field',
    'payment_instructions.1.reference: blank',
  ]);
  expect(problemsOf({ ...named, payment_instruction: other, payment_instructions: [anInstruction] })).toEqual([
    'payment_instruction: history_spelled_twice',
  ]);
  expect(problemsOf({ ...named, payment_instructions: { ...anInstruction } })).toEqual([
    'payment_instructions: not_a_list',
  ]);
  expect(problemsOf({ ...named, payment_instructions: [] })).toEqual(['account: required']);
  const types = Array.from({ length: 21 }, (_, index) => ({ ...anInstruction, type: `TYPE_${index}` }));
  expect(problems(...types)).toEqual(['payment_instructions: max_items']);
  expect(refusalOf({ ...named, payment_instructions: types }).refusal.step).toBe('payment_instruction');
});

test.each([
  [{ notes: [{ body: 'A' }] }, ['external_account_number: required']],
  [{ ...named, external_account_number: 7, notes: [{ body: 'A' }] }, ['external_account_number: invalid']],
  [{ ...named, notes: null }, ['notes: null']],
  [{ ...named, transactions: {} }, ['transactions: not_a_list']],
  [{ ...named, payment_instruction: [] }, ['payment_instruction: invalid']],
  [named, ['account: required']],
  [{ ...named, notes: [] }, ['account: required']],
  [{}, ['account: required']],
])('21.1.3 %j is refused', (line, problems) => {
  expect(problemsOf(line).filter((problem) => !problem.startsWith('payment_instruction.'))).toEqual(problems);
});

test.each(['dry_run', 'import_supplier', 'external_account_number'])(
  '21.1.4 %s in the instruction is refused: it would change what the line does',
  (name) => {
    const line = { ...named, payment_instruction: { ...anInstruction, [name]: true } };
    expect(problemsOf(line)).toEqual([`payment_instruction.${name}: undocumented_field`]);
  },
);

test('21.1.4 no field of a line makes its imports a dry run', () => {
  const line = { ...named, notes: [{ body: 'A' }], dry_run: true };
  expect(problemsOf(line)).toEqual(['dry_run: undocumented_field']);
});

test('21.1.4 undocumented fields of the line go with its first import', () => {
  const line = {
    ...named,
    batch: 7,
    statements: [aStatement(1)],
    payment_instruction: { ...anInstruction, origin: 'A' },
  };
  const { statements, payment_instructions } = read(line, withSupplier({ undocumented_fields: 'KEEP' }));
  expect(JSON.parse(statements?.kept ?? '')).toEqual([{ path: 'batch', value: 7 }]);
  expect(JSON.parse(payment_instructions[0]?.kept ?? '')).toEqual([{ path: 'origin', value: 'A' }]);
  expect(problemsOf(line, withSupplier({ undocumented_fields: 'REJECT' }))).toEqual([
    'batch: undocumented_field',
    'payment_instruction.origin: undocumented_field',
  ]);
  const { statements: _left, ...twice } = { ...line, origin: 'B' };
  expect(problemsOf(twice)).toEqual(['payment_instruction.origin: history_spelled_twice']);
});

test('21.1.7 identifiers that a call refuses are refused', () => {
  const line = {
    ...named,
    transactions: [aCharge(1), aCharge(2, { transaction_id: ' T-2' })],
    statements: [aStatement(1, { statement_id: 'S\u00A0' })],
    payment_instruction: { ...anInstruction, reference: 'pm ' },
  };
  const { refusal } = refusalOf(line);
  expect(refusal.errors.map(({ attr }) => attr)).toEqual([
    'transactions.1.transaction_id',
    'statements.0.statement_id',
    'payment_instruction.reference',
  ]);
});
