import { AccountPayload, asStored } from '@causeway/contracts';
import { accountImportId } from '@causeway/domain';
import { describe, expect, test } from 'vitest';
import { documentedPaths, everyField, MARK } from '../support/every-field.ts';
import { storedAccount } from '../support/stored-account.ts';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
const supplier = await service.createSupplier();

async function importEveryField(style: 'legacy' | 'new', number: string = style) {
  const account = { ...everyField(style).account, import_supplier: supplier.code, external_account_number: number };
  const staged = await supplier.post('account-import-process/create-or-update/', account);
  expect(staged).toMatchObject({ status: 201, body: { external_account_number: number } });
  const processed = await supplier.post('account-import-process/process/', supplier.processRequest(number));
  expect(processed.status).toBe(201);
  return { account, id: accountImportId(supplier.code, number) };
}

/** The path of each value, `*` for each index: what is documented, without what stands in open objects. */
function pathsOf(value: unknown, documented: ReadonlySet<string>, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, documented, `${path}.*`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return documented.has(at) ? [at, ...pathsOf(below, documented, at)] : [];
  });
}

/** Each value that is no object or list, as text. */
function leavesOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, below]) => {
    const step = Array.isArray(value) ? '*' : key;
    return leavesOf(below, path === '' ? step : `${path}.${step}`);
  });
}

describe('an account that uses every documented field', () => {
  test.each(['legacy', 'new'] as const)(
    '2.10.22 every documented field is stored whole and read back as it was sent, with the addresses in the %s style',
    async (style) => {
      const { account, id } = await importEveryField(style);
      expect(await storedAccount(service.database, id)).toEqual(account);
      const read = await supplier.get(`accounts/${supplier.code}/${style}/`);
      expect(read.status).toBe(200);
      expect(read.body.account).toEqual(asStored(AccountPayload, account));
    },
  );

  test('2.10.13 a meter point that was sent as its mpxn is found by it, and read back as it was sent', async () => {
    const [address] = supplier.account().supply_addresses ?? [];
    const sent = [{ mpxn: '1' }, { identifier: '2', mpxn: '2' }, { identifier: '3' }];
    const { externalAccountNumber, id } = await supplier.importAccount({
      supply_addresses: [{ ...address, meter_points: sent }],
    });
    const { body } = await supplier.get(`accounts/${supplier.code}/${externalAccountNumber}/`);
    expect(body.account.supply_addresses[0].meter_points).toEqual(sent);
    const found = await service.database.prisma.meterPoint.findMany({ where: { account_import_id: id } });
    expect(found.map(({ identifier }) => identifier).sort()).toEqual(['1', '2', '3']);
  });

  test.each(['legacy', 'new'] as const)(
    '14.8.3 erasing leaves no word of it but the codes of tariffs and of the market: the %s style',
    async (style) => {
      const number = `erased-${style}`;
      const { id } = await importEveryField(style, number);
      await service.staff.accounts.erase.mutate({
        code: supplier.code,
        external_account_number: number,
        reason: 'Ticket 4711',
      });
      const stored = await storedAccount(service.database, id);
      const marked = leavesOf(stored).filter(([, text]) => new RegExp(`${MARK}|7700|496|Daughter`).test(text));
      expect(marked.map(([path]) => path)).toEqual([
        'supply_addresses.*.meter_points.*.mpid',
        'supply_addresses.*.meter_points.*.agreements.*.tariff_code',
      ]);
      expect(leavesOf(stored).map(([path]) => path.replace(/^.*meters/, 'meters'))).toEqual(
        expect.arrayContaining(['meters.*.transfer_readings.*.reading_value', 'meters.*.reading_history.*.billed']),
      );
      for (const document of ['debts', 'psr', 'psr_password', 'prepay_details', 'additional_data', 'metadata']) {
        expect(JSON.stringify(stored)).not.toContain(document);
      }
    },
  );

  test('2.10.22 leaves out none: in both styles together every documented path has a value', () => {
    const documented = documentedPaths();
    const used = ['legacy', 'new'].flatMap((style) => pathsOf(everyField(style as 'new').account, documented));
    expect([...documented].filter((path) => !used.includes(path))).toEqual([]);
    expect(documented.size).toBeGreaterThan(150);
    expect(JSON.stringify(everyField('new').account)).toContain(MARK);
  });
});
