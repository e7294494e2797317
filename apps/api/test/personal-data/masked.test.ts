import { MASK } from '@causeway/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyField } from '../support/every-field.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

let service: TestService;
let supplier: TestSupplier;

beforeAll(async () => {
  service = await startTestService();
  supplier = await service.createSupplier();
});
afterAll(() => service.stop());

const key = (external_account_number: string) => ({ code: supplier.code, external_account_number });

/** Every value with its path. */
function valuesOf(value: unknown, path = ''): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, below]) => valuesOf(below, `${path}.${name}`));
}

test.each(['legacy', 'new'] as const)(
  '14.8.6 of an account with every field (%s), masked, each field is shown and only values that an erasure leaves',
  async (style) => {
    const external_account_number = `MASKED-${style}`;
    const account = { ...everyField(style).account, import_supplier: supplier.code, external_account_number };
    await supplier.post('account-import-process/create-or-update/', account);
    await supplier.post('account-import-process/process/', supplier.processRequest(external_account_number));
    const staff = service.staff;
    const masked = await staff.accounts.getMasked.query(key(external_account_number));
    const payload = await staff.accountImports.get.query({ ...key(external_account_number), masked: true });
    expect(payload.audit_trail.map(({ action }) => action)).toEqual(['staged', 'processed']);

    const inPath = { import_supplier_code: supplier.code, external_account_number };
    const whole = await staff.accounts.get.query(inPath);
    const sent = await staff.accountImports.get.query(key(external_account_number));
    const viewed = await staff.accountImports.get.query({ ...key(external_account_number), masked: true });
    expect(viewed.audit_trail.map(({ action }) => action).slice(2)).toEqual(['payload_viewed', 'payload_viewed']);
    await staff.accounts.erase.mutate({ ...key(external_account_number), reason: 'Asked for' });
    const left = await staff.accounts.get.query(inPath);

    const paths = (document: unknown) => valuesOf(document).map(([path]) => path);
    expect(paths(masked.account)).toEqual(paths(whole.account));
    expect(paths(payload.payload)).toEqual(paths(sent.payload));
    const shown = (document: unknown) => valuesOf(document).filter(([, value]) => value !== MASK);
    const leftValues = new Map(valuesOf(left.account));
    expect(shown(masked.account).filter(([path, value]) => leftValues.get(path) !== value)).toEqual([]);
    expect(shown(payload.payload).filter(([path]) => !leftValues.has(path))).toEqual([]);
    expect(shown(masked.account).length).toBeGreaterThan(20);
    const { account: _whole, refusals: _refusals, ...figures } = whole;
    expect(masked).toMatchObject(figures);
  },
);

test('14.8.6 the history of a staged account and what is kept beside it are masked too', async () => {
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, undocumented_fields: 'KEEP' });
  const number = await supplier.stage({
    ...{ tariff: { secret: 'of a person' } },
    notes: [{ body: 'Ms Hartley called', is_pinned: true }],
    payment_instruction: { vendor: 'SANDBOX', type: 'CARD', reference: 'pm_ok_1' },
  });
  const { payload, undocumented_fields } = await service.staff.accountImports.get.query({
    ...key(number),
    masked: true,
  });
  expect(payload?.notes).toEqual([{ body: MASK, is_pinned: true }]);
  expect(payload?.payment_instruction).toEqual({ vendor: 'SANDBOX', type: 'CARD', reference: MASK });
  expect(undocumented_fields).toEqual([{ operation: 'stage', path: 'tariff', value: MASK }]);
  const masked = await service.staff.accounts.getMasked.query(key(number));
  expect(masked.undocumented_fields).toEqual(undocumented_fields);
  expect(masked.account?.notes).toEqual([{ body: MASK, is_pinned: true }]);
});
