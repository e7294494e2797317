import { MASK } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { everyField } from '../support/every-field.ts';
import { obtainToken, serviceOfFile, trpcClient } from '../support/test-service.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

const key = (external_account_number: string) => ({ code: supplier.code, external_account_number });

/** What a sender calls its own fields is hidden, where any may be sent. */
const FREE_NAMES = /(\.(?:customer_preferences|metadata|additional_data))\..*/;

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

    const paths = (document: unknown) => valuesOf(document).map(([path]) => path.replace(FREE_NAMES, '$1.*'));
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
  expect(undocumented_fields).toEqual([{ operation: 'stage', path: MASK, value: MASK }]);
  const masked = await service.staff.accounts.getMasked.query(key(number));
  expect(masked.undocumented_fields).toEqual(undocumented_fields);
  expect(masked.account?.notes).toEqual([{ body: MASK, is_pinned: true }]);
});

test('14.8.6 the name of a field is shown only if it is documented, each of several others by its number', async () => {
  await service.staff.importSuppliers.update.mutate({ code: supplier.code, undocumented_fields: 'KEEP' });
  const free = { list: [{ zoe: 1 }], 'Zoe Hartley': { mobile: '1' }, 'zoe.hartley@example.com': 'x' };
  const number = await supplier.stage({ additional_data: free, 'Zoe Hartley': 'x' });
  const { account } = await service.staff.accounts.getMasked.query(key(number));
  const masked = await service.staff.accountImports.get.query({ ...key(number), masked: true });
  const additional = { [MASK]: [{ [MASK]: MASK }], [`${MASK} 2`]: { [MASK]: MASK }, [`${MASK} 3`]: MASK };
  expect([account?.additional_data, masked.payload?.additional_data]).toEqual([additional, additional]);
  expect(JSON.stringify([account, masked])).not.toMatch(/zoe/i);
  const created = await supplier.importAccount({ additional_data: free });
  const stored = await service.staff.accounts.getMasked.query(key(created.externalAccountNumber));
  expect(stored.account?.additional_data).toEqual(additional);
});

test('14.8.7 the reasons of the service team are masked as an erasure blanks them, but shown to a FULL key otherwise', async () => {
  const number = await supplier.stage();
  const reason = 'Ms Hartley of 1 Mill Lane called';
  await service.staff.accountImports.skip.mutate({ ...key(number), reason });
  const detailsOf = (events: { action: string; detail: unknown }[]) =>
    events.filter(({ action }) => action === 'skipped').map(({ detail }) => detail);
  const masked = await service.staff.accountImports.get.query({ ...key(number), masked: true });
  expect([masked.skip_reason, detailsOf(masked.audit_trail)]).toEqual([MASK, [{ reason: MASK }]]);
  const shown = await service.staff.accountImports.get.query(key(number));
  expect([shown.skip_reason, detailsOf(shown.audit_trail)]).toEqual([reason, [{ reason }]]);

  const { api_key } = await service.staff.apiKeys.issueStaff.mutate({ label: 'Only reads', role: 'READ_ONLY' });
  const readOnly = trpcClient(service.url, await obtainToken(service.url, api_key));
  for (const [reader, seen] of [
    [service.staff, reason],
    [readOnly, MASK],
  ] as const) {
    const list = await reader.accountImports.list.query({ code: supplier.code, search: number });
    expect(list).toMatchObject([{ skip_reason: seen }]);
    const trail = await reader.audit.list.query({ subject: 'account_import', ...key(number) });
    expect(detailsOf(trail)).toEqual([{ reason: seen }]);
    const timeline = await reader.accounts.timeline.query(key(number));
    expect(detailsOf(timeline.flatMap(({ event }) => event ?? []))).toEqual([{ reason: seen }]);
    expect(detailsOf(await reader.audit.listOfStaff.query({}))).toEqual([{ reason: seen }]);
  }
  await service.staff.accounts.erase.mutate({ ...key(number), reason: 'Ticket 4711' });
  const erased = await readOnly.audit.list.query({ subject: 'account_import', ...key(number) });
  expect(erased.at(-1)).toMatchObject({ action: 'erased', detail: { reason: 'Ticket 4711' } });
});
