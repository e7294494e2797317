import { expect, test } from 'vitest';
import {
  CreateImportSupplierRequest,
  ListApiKeysRequest,
  SetImportSupplierStatusRequest,
  SkipAccountImportRequest,
  UpdateImportSupplierRequest,
} from '../src/index.ts';
import { problems } from './support.ts';

const supplier = { code: 'A', name: 'A', organisation_id: '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55' };

test('14.4 an update changes what it names, and null switches the limit off', () => {
  expect(UpdateImportSupplierRequest.parse({ code: 'A', process_concurrency_limit: null })).toEqual({
    code: 'A',
    process_concurrency_limit: null,
  });
  expect(problems(UpdateImportSupplierRequest, { code: 'A', name: null })).toEqual(['name: null']);
});

test.each<[attr: string, value: unknown, problem: string]>([
  ['code', 'N'.repeat(65), 'max_length'],
  ['code', 'a b', 'invalid'],
  ['organisation_id', '1', 'invalid'],
  ['country', 'UK', 'invalid_country'],
  ['document_root', '/root', 'invalid_document_path'],
  ['process_concurrency_limit', 0, 'min_value'],
  ['name', '', 'blank'],
  ['send_customer_emails', 'false', 'invalid'],
  ['undocumented_fields', 'IGNORE', 'invalid_choice'],
  ['undocumented_fields', null, 'null'],
  ['empty_means_omitted', 'true', 'invalid'],
  ['statement_amount_unit', 'PENCE', 'invalid_choice'],
  ['balance_check', true, 'invalid_choice'],
  ['zero_amounts', 'REFUSE', 'invalid_choice'],
  ['account_types', Array.from({ length: 101 }, (_, index) => `T${index}`), 'max_items'],
])('14.4 of an import supplier, %s %j is refused: %s', (attr, value, problem) => {
  expect(problems(CreateImportSupplierRequest, { ...supplier, [attr]: value })).toEqual([`${attr}: ${problem}`]);
});

test('3.2 a status is one of three, and skipping needs a reason', () => {
  expect(problems(SetImportSupplierStatusRequest, { code: 'A', status: 'Paused' })).toEqual(['status: invalid_choice']);
  expect(problems(SkipAccountImportRequest, { code: 'A', external_account_number: '1', reason: ' ' })).toEqual([
    'reason: blank',
  ]);
});

test('14.1 a list can be asked for without any input', () => {
  expect(ListApiKeysRequest.parse(undefined)).toEqual({});
});
