import path from 'node:path';
import { type BookSettings, readBookLine } from '@causeway/book';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeCsv } from '../src/sample/write-csv.ts';
import { causeway, temporaryFolder } from './support/causeway.ts';
import { linesOf } from './support/convert.ts';

const PARAMETERS = { numRuns: 12 };

const SETTINGS: BookSettings = {
  importSupplier: {
    code: 'HARBOUR-VALE',
    country: 'GB',
    account_types: [],
    undocumented_fields: 'REJECT',
    empty_means_omitted: false,
    statement_amount_unit: 'MAJOR',
    balance_check: 'REPORT',
    suspect_data: 'REPORT',
    suspect_data_by_code: {},
  },
  today: '2026-04-17',
  maxLineBytes: 1_000_000,
  paymentVendors: new Set(['SANDBOX']),
  importOptions: { check_previously_added: true, force_add_to_current_statement: true },
};

/** What a cell may hold that is of some weight to CSV. */
const words = (...others: string[]) =>
  fc
    .array(fc.constantFrom('Zoë', '"', ',', ';', '|', "'", ' ', '東', '007', '=1+1', 'null!', ...others), {
      minLength: 1,
      maxLength: 6,
    })
    .map((parts) => parts.join('').trim())
    .filter((text) => /[\p{L}\p{N}]/u.test(text));
const line = words();
const prose = words('\n', '\t');
const day = fc
  .integer({ min: 0, max: 9_000 })
  .map((days) => new Date(Date.UTC(2000, 0, 1 + days)).toISOString().slice(0, 10));
const decimal = fc
  .tuple(fc.integer({ min: 0, max: 99_999_999_999 }), fc.integer({ min: 10, max: 99 }))
  .map(([whole, hundredths]) => `${whole}.${hundredths}`);
const some = <Value>(value: fc.Arbitrary<Value>, maxLength = 3) => fc.array(value, { minLength: 1, maxLength });
const present = { requiredKeys: [] as never[] };

const customer = fc.record(
  { given_name: line, family_name: line, date_of_birth: day },
  { requiredKeys: ['given_name'] },
);
const register = fc.record({
  register_id: fc.constantFrom('01', '2'),
  number_of_digits: fc.integer({ min: 1, max: 9 }),
});
const reading = fc.record({ reading_date: day, reading_value: fc.constantFrom('04821.5', '0', '12') });
const meterPoint = fc.record(
  {
    identifier: line,
    profile_class: fc.constantFrom('01', '3'),
    meters: some(
      fc.record({ meter_serial_number: line, registers: some(register), transfer_readings: some(reading) }),
      2,
    ),
  },
  { requiredKeys: ['identifier'] },
);
const supplyAddress = fc.record(
  {
    customer_at_supply_address_from_date: day,
    supply_address1: line,
    is_landlord: fc.boolean(),
    meter_points: some(meterPoint, 2),
  },
  { requiredKeys: ['customer_at_supply_address_from_date'] },
);
const transaction = fc.record(
  {
    transaction_id: fc.uuid(),
    transaction_date: day,
    type: fc.constantFrom('CHARGE', 'SUPPLY_CHARGE'),
    amount: decimal,
    reason: fc.constant('OLD'),
    note: prose,
    line_items: some(
      fc.record({ start_date: day, end_date: day, net_amount: decimal, units: some(fc.constantFrom('1', '0.5')) }),
    ),
  },
  { requiredKeys: ['transaction_id', 'transaction_date', 'type', 'amount'] },
);
const accountFields = fc.record(
  {
    billing_name: line,
    transfer_balance: decimal,
    unknown_occupier: fc.boolean(),
    metadata: some(fc.record({ key: line, value: fc.oneof(line, fc.integer(), fc.constant({ deep: [null, 'x'] })) })),
    customers: some(customer),
    supply_addresses: some(supplyAddress),
  },
  present,
);
const history = fc.record(
  { notes: some(fc.record({ body: prose, is_pinned: fc.boolean() })), transactions: some(transaction, 5) },
  present,
);

/** Lines of a book whose accounts have different numbers. */
const book = fc.array(fc.tuple(accountFields, history), { minLength: 1, maxLength: 5 }).map((lines) =>
  lines.map(([fields, beside], position) => ({
    account: { import_supplier: 'HARBOUR-VALE', external_account_number: `HV-${position}`, ...fields },
    ...beside,
  })),
);

async function flagsFor(lines: readonly object[], folder: string): Promise<string[]> {
  const files = await writeCsv(() => lines, folder);
  return files.flatMap(({ kind, name }) => [`--${kind}`, path.join(folder, name)]);
}

describe('CSV files of a book', () => {
  it('25.2.1 become the same book, whatever is in it and in whatever order its rows come', async () => {
    await fc.assert(
      fc.asyncProperty(book, async (lines) => {
        const folders = await Promise.all([temporaryFolder(), temporaryFolder()]);
        const [inOrder, reversed] = folders;
        const accounts = (await flagsFor(lines, inOrder)).slice(0, 2);
        const others = (await flagsFor(lines.toReversed(), reversed)).slice(2);
        const words = ['convert', ...accounts, ...others, '-o', 'book.ndjson'];
        const { code, stderr } = await causeway(words, { directory: inOrder });
        expect([code, stderr]).toEqual([0, expect.any(String)]);
        expect(await linesOf(path.join(inOrder, 'book.ndjson'))).toEqual(lines);
      }),
      PARAMETERS,
    );
  });
});

describe('causeway sample', () => {
  it('25.2.9 writes the same book for the same seed and day, of which nothing is refused but with --faults', async () => {
    const words = ['sample', '--accounts', '24', '--date', '2026-04-15'];
    const { stdout } = await causeway(words);
    expect((await causeway(words)).stdout).toBe(stdout);
    expect((await causeway([...words, '--seed', 'another'])).stdout).not.toBe(stdout);
    const refused = (text: string) =>
      text
        .trim()
        .split('\n')
        .filter((one) => 'refusal' in readBookLine(Buffer.from(one), SETTINGS));
    expect(refused(stdout)).toEqual([]);
    expect(refused((await causeway([...words, '--faults'])).stdout).length).toBeGreaterThan(1);
  });

  it('25.2.9 writes CSV files that convert back, by the command that it prints', async () => {
    const directory = await temporaryFolder();
    const words = ['sample', '--accounts', '12', '--date', '2026-04-20'];
    const made = await causeway([...words, '--csv', 'csv files'], { directory });
    expect(made.code).toBe(0);
    const printed = made.stdout.slice(made.stdout.indexOf('causeway convert') + 'causeway '.length);
    const command = printed.replaceAll('\\\n', ' ').match(/'[^']*'|\S+/g) ?? [];
    const converted = await causeway(
      command.map((word) => word.replaceAll("'", '')),
      { directory },
    );
    expect(converted).toMatchObject({ code: 0, stdout: expect.stringContaining('12 accounts written') });
    const sample = (await causeway(words)).jsonLines();
    const lines = await linesOf(path.join(directory, 'book.ndjson'));
    expect(lines.map((one) => one.account.customers)).toEqual(sample.map((one) => one.account.customers));
    expect(lines.map((one) => one.transactions.length)).toEqual(sample.map((one) => one.control.transactions));
  });
});
