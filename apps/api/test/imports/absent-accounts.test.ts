import { afterAll, beforeAll, expect, test } from 'vitest';
import { statement } from '../bundles/support.ts';
import { allRows } from '../support/all-rows.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';
import { charge } from '../transactions/examples.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

// That the accounts of another organisation are as absent as these is 5.9, for every procedure.
test.each([
  ['notes', 404, 'notes/create/', { notes: [{ body: 'x' }] }],
  ['transactions', 400, 'transactions/create/', { transactions: [charge('T-1')] }],
  ['statements', 400, 'historical-statements/create/', { statements: [statement('ST-1')] }],
  [
    'a payment instruction',
    400,
    'payment-instruction/create/',
    { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' },
  ],
] as const)(
  '4.4 4.5 4.6 4.7 an import of %s answers 404 or 400 account_not_found where the account is staged only, absent or of another import supplier',
  async (_what, expected, path, sent) => {
    const sibling = await service.createSupplier({ of: supplier });
    const { externalAccountNumber: siblings } = await sibling.importAccount({
      external_account_number: `Sibling ${path}`,
    });
    const { externalAccountNumber: own } = await supplier.importAccount({ external_account_number: `Case ${path}` });
    const staged = await supplier.stage();
    const before = await allRows(service.database);
    for (const external_account_number of [staged, 'ABSENT', own.toLowerCase(), siblings]) {
      const reference = { import_supplier: supplier.code, external_account_number };
      const { status, body } = await supplier.post(path, { ...reference, ...sent });
      expect([external_account_number, status, body.code]).toEqual([
        external_account_number,
        expected,
        'account_not_found',
      ]);
      expect(body.errors).toMatchObject([{ attr: 'external_account_number' }]);
      // An import supplier is part of each payload.
      const { status: nameless, body: refused } = await supplier.post(path, { ...sent, external_account_number });
      expect([nameless, refused.errors]).toMatchObject([400, [{ attr: 'import_supplier', code: 'required' }]]);
    }
    expect(await allRows(service.database)).toEqual(before);
  },
);
