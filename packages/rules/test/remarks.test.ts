import { AccountPayload, accept } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { remarksOf } from '../src/remarks/decide-remarks.ts';
import { isLikelyMeterPoint } from '../src/remarks/meter-point-form.ts';
import { movedDates } from '../src/remarks/moved-dates.ts';
import { remarksOfAccount, remarksOfTexts } from '../src/remarks/remarks-of.ts';

const REPORTS = {
  ...({ suspect_data: 'REPORT', suspect_data_by_code: {}, balance_check: 'OFF' } as const),
  ...({ undocumented_fields: 'REPORT', country: 'GB' } as const),
};
const NONE = { today: '2026-04-17', find: undefined, mayHaveDoubtfulText: true };
const of = (request: object) =>
  remarksOf({ ...NONE, request, settings: REPORTS }).map(({ code, attr }) => `${code} ${attr}`);

test.each(['nan', 'NaN', 'None', 'NULL', 'N/A', '#N/A', '#REF!', '#NAME?', '#DIV/0!', '#VALUE!'])(
  '4.18.1 %s in place of a value is a placeholder',
  (family_name) => expect(of({ customers: [{ family_name }] })).toEqual(['placeholder customers.0.family_name']),
);

test.each(['Null', 'Nan', 'none', 'Nanette', 'N', '#1', 'NULL Ltd', '#4 Mill Lane!', '', 'A'])(
  '4.18.1 %j may be a value',
  (family_name) => expect(of({ customers: [{ family_name }] })).toEqual([]),
);

test.each(['10023.0', '1200023305967.0', '1.2E+12', '1,2E+12', '5.41449E+17', '541448820000000000'])(
  '4.18.1 %s is a number that a spreadsheet has changed, where an identifier is expected',
  (text) => {
    expect(of({ meter_points: [{ identifier: text }], note: text })).toEqual([
      'damaged_number meter_points.0.identifier',
    ]);
    expect(of({ external_account_number: text })).toEqual(['damaged_number external_account_number']);
    expect(of({ amount: text, reading_value: text })).toEqual([]);
  },
);

test.each(['100', '10023.01', '1E5', '123456789012345', '1234567890123450', '2026-01-10', '1200023305960'])(
  '4.18.1 %s may be an identifier',
  (user_identifier) => expect(of({ user_identifier })).toEqual([]),
);

test.each(['SiÃ¢n', 'Oâ€™Brien', 'Ren\uFFFDe', 'ZoÃ«', 'GarcÃ\u00ADa', 'â‚¬ 5', '12 Rue du ChÃ¢teau'])(
  '4.18.1 %s was decoded wrongly',
  (given_name) => expect(of({ customers: [{ given_name }] })).toEqual(['wrongly_decoded_text customers.0.given_name']),
);

test.each([
  'Siân',
  'O’Brien',
  'Łukasz Wójcik',
  '髙橋',
  'محمد',
  'Nguyễn',
  'García-Márquez',
  'Ãlex',
  'São Paulo',
  '£ 5',
  'Â',
])('4.18.1 %s is written rightly', (given_name) => expect(of({ customers: [{ given_name }] })).toEqual([]));

test.each([
  ['GB', 'ELECTRICITY', '1200023305967', '1200023305968', '120002330596', 'MPAN'],
  ['GB', 'GAS', '123456707', '123456789', '12345', '12345678901'],
  ['IE', 'ELECTRICITY', '10012345678', '20012345678'],
  ['AU', 'ELECTRICITY', '2001985732', 'QAAAVZZZZZ3', 'QAAAVZZZZZ4', '200198573'],
  ['NZ', 'ELECTRICITY', '0000012345TRCF7', '12345TRCF7'],
  ['BE', 'ELECTRICITY', '541448820000000008', '541448820000000001'],
  ['FR', 'ELECTRICITY', '01234567890123', '1234567890123'],
  ['IT', 'ELECTRICITY', 'IT001E12345678', 'IT001E1234567'],
  ['ES', 'GAS', 'ES1234000000000001JN0F', 'ES1234000000000001AA0F'],
  ['DE', 'ELECTRICITY', '51238696781', '51238696782'],
  ['AT', 'ELECTRICITY', 'AT0082300000000000000000000123456', 'AT008230000000000000000000012345'],
] as const)('4.18.1 meter points of %s for %s have their form', (country, service, right, ...wrong) => {
  expect(isLikelyMeterPoint(right, country, service), right).toBe(true);
  for (const identifier of wrong) {
    if (/^QAAAV.*3$/.test(identifier)) expect(isLikelyMeterPoint(identifier, country, service)).toBe(true);
    else expect(isLikelyMeterPoint(identifier, country, service), identifier).toBe(false);
  }
});

test('4.18.1 nothing is known of meter points of other countries and services', () => {
  expect(isLikelyMeterPoint('X', 'JP', 'ELECTRICITY')).toBe(true);
  expect(isLikelyMeterPoint('X', 'GB', 'WATER')).toBe(true);
});

test('4.18.1 a postcode has the form of the country of its address, or else of the supplier', () => {
  const remarks = (account: object, country = 'GB') =>
    remarksOfAccount(account, { ...NONE, country }).map(({ attr }) => attr);
  expect(remarks({ billing_address: { country: 'DE', postal_code: '1067' } })).toEqual(['billing_address.postal_code']);
  expect(remarks({ billing_address: { country: 'DE', postal_code: '01067' } })).toEqual([]);
  expect(remarks({ billing_address: { country: 'XX', postal_code: '1' } })).toEqual([]);
  expect(remarks({ billing_postcode: '800' }, 'AU')).toEqual(['billing_postcode']);
  const supply_addresses = [{ supply_address: { country: 'AU', postal_code: '0800' } }, { supply_postcode: '2138' }];
  expect(remarks({ supply_addresses }, 'US')).toEqual(['supply_addresses.1.supply_postcode']);
});

test('4.18.1 two meters of a meter point with one serial number are remarked once', () => {
  const meters = ['S1', 'S2', 'S1'].map((meter_serial_number) => ({ meter_serial_number }));
  const account = { supply_addresses: [{ meter_points: [{ meters }, { meters: [{}, {}] }] }] };
  expect(remarksOfAccount(account, { ...NONE, country: 'GB' })).toEqual([
    { code: 'repeated_meter_serial_number', attr: 'supply_addresses.0.meter_points.0.meters.2.meter_serial_number' },
  ]);
});

test('4.18.1 a doubtful text is noticed while a request is accepted, in whichever field', () => {
  const texts = ['NULL', '#REF!', '10023.0', '1.2E+12', 'Ren\uFFFDe', 'SiÃ¢n', '12 Rue du ChÃ¢teau'];
  const accepted = (AccountPayload.meta()?.examples ?? []).flatMap((example) =>
    texts.flatMap((text) => withEachText(example, text).flatMap((account) => accept(AccountPayload, account) ?? [])),
  );
  const doubtful = accepted.filter(({ value }) => remarksOfTexts(value).length > 0);
  expect(doubtful.length).toBeGreaterThan(100);
  expect(doubtful.filter(({ mayHaveDoubtfulText }) => !mayHaveDoubtfulText)).toEqual([]);
  const plain = {
    import_supplier: 'NORTHWIND-2026',
    external_account_number: 'NW-1',
    customers: [{ family_name: 'Null' }],
  };
  expect(accept(AccountPayload, plain)).toMatchObject({ mayHaveDoubtfulText: false });
});

/** The value with another text in place of each of its texts, one at a time. */
function withEachText(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    withEachText(item, text).map((other) =>
      Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other },
    ),
  );
}

test('4.18.2 the settings decide, of one code before all', () => {
  const request = { customers: [{ family_name: 'nan', user_identifier: '1.0' }] };
  const codes = (settings: object) =>
    remarksOf({ ...NONE, request, settings: { ...REPORTS, ...settings } }).map(({ code }) => code);
  expect(codes({})).toEqual(['placeholder', 'damaged_number']);
  expect(codes({ suspect_data: 'OFF' })).toEqual([]);
  expect(codes({ suspect_data_by_code: { placeholder: 'REFUSE' } })).toEqual(['damaged_number']);
  expect(codes({ suspect_data: 'OFF', suspect_data_by_code: { placeholder: 'REPORT' } })).toEqual(['placeholder']);
});

test.each([
  ['2026-03-31', ['2026-03-31', '2026-04-18'], ['2026-04-01', '2026-04-17']],
  ['2026-04-17', ['2026-04-16', '2026-04-18'], ['2026-04-17']],
  [undefined, ['2026-04-16', '2026-04-18'], ['2026-04-17']],
])(
  '4.18.5 of an account billed to %s the open transactions of %j will be moved',
  (last_billed_to_date, moved, kept) => {
    const transactions = [...moved, ...kept].map((transaction_date) => ({ transaction_date }));
    expect(movedDates({ last_billed_to_date, transactions }, '2026-04-17')).toEqual(
      moved.map((_, index) => ({
        ...{ code: 'transaction_date_moved', attr: `transactions.${index}.transaction_date` },
      })),
    );
  },
);

const meterOf = (meter: object) =>
  remarksOfAccount(
    { supply_addresses: [{ meter_points: [{ identifier: '1200023305967', meters: [meter] }] }] },
    { ...NONE, country: 'GB' },
  ).map(({ code, attr }) => `${code} ${attr.replace('supply_addresses.0.meter_points.0.meters.0.', '')}`);

test('4.18.1 a reading is of a day on which its meter was there', () => {
  const days = ['2019-12-31', '2020-01-01', '2024-06-30', '2024-07-01', '2027-01-01'];
  const reading_history = days.map((reading_date) => ({ reading_date, reading_value: '5' }));
  const outside = (...indexes: number[]) =>
    indexes.map((index) => `unlikely_reading_date reading_history.${index}.reading_date`);
  expect(meterOf({ reading_history })).toEqual(outside(4));
  expect(meterOf({ installed_on: '2020-01-01', removed_on: '2024-06-30', reading_history })).toEqual(outside(0, 3, 4));
});

test.each([
  ['from_date', '2020-01-01', [0]],
  ['to_date', '2024-06-30', [3]],
])('4.18.1 a reading is of a day on which the customer was there: %s', (name, day, outside) => {
  const days = ['2019-12-31', '2020-01-01', '2024-06-30', '2024-07-01'];
  const transfer_readings = days.map((reading_date) => ({ reading_date, reading_value: '5' }));
  const points = (more: object) => [{ identifier: '1200023305967', ...more, meters: [{ transfer_readings }] }];
  const toldOf = (address: object) =>
    remarksOfAccount({ supply_addresses: [address] }, { ...NONE, country: 'GB' }).map(
      ({ code, attr }) => `${code} ${attr.replace('supply_addresses.0.meter_points.0.meters.0.', '')}`,
    );
  const expected = outside.map((index) => `unlikely_reading_date transfer_readings.${index}.reading_date`);
  expect(toldOf({ [`customer_at_supply_address_${name}`]: day, meter_points: points({}) })).toEqual(expected);
  const supply = name === 'from_date' ? 'supply_start_date' : 'supply_end_date';
  expect(toldOf({ meter_points: points({ [supply]: day }) })).toEqual(expected);
});

test.each([
  ['noemail@noemail.com', true],
  ['No.Email@supplier.example', true],
  ['NONE@supplier.example', true],
  ['n.a@supplier.example', true],
  ['do-not-reply@supplier.example', true],
  ['customer1@no-email.co.uk', true],
  ['nora.nolan@supplier.example', false],
  ['norman.mail@mailno.example', false],
  ['nobel@supplier.example', false],
])('4.18.1 whether the address %s is a placeholder: %j', (email, isPlaceholder) => {
  const told = remarksOfAccount({ billing_email: email, customers: [{ email }] }, { ...NONE, country: 'GB' });
  expect(told).toEqual(
    isPlaceholder ? ['billing_email', 'customers.0.email'].map((attr) => ({ code: 'placeholder', attr })) : [],
  );
});

test.each([
  [{}, ['00100', '00090'], true],
  [{}, ['99990', '00010'], true],
  [{ number_of_digits: 5 }, ['99990', '00010.5'], false],
  [{ number_of_digits: 6 }, ['99990', '00010'], true],
  [{ direction: 'BOTH' }, ['00100', '00090'], false],
  [{}, ['00100', '00100'], false],
])('4.18.1 of a register %j the readings %j fall: %j', (register, [before, after], falls) => {
  const registers = [{ register_id: '1', ...register }, { register_id: '2' }];
  const transfer_readings = [{ register_id: '1', reading_date: '2026-03-31', reading_value: after }];
  const reading_history = [
    { register_id: '2', reading_date: '2026-01-31', reading_value: '99999' },
    { register_id: '1', reading_date: '2026-02-28', reading_value: before },
  ];
  expect(meterOf({ registers, transfer_readings, reading_history })).toEqual(
    falls ? ['falling_reading transfer_readings.0.reading_value'] : [],
  );
});

test.each([
  [['2026-01-01 100', '2026-01-02 50', '2026-01-02 200'], ['2026-01-02 50']],
  [['2026-01-01 50', '2026-01-01 100', '2026-01-02 60'], ['2026-01-02 60']],
  [['2026-01-01 105', '2026-01-01T00:00:00Z 100'], []],
])('4.18.1 of the readings %j fall %j, in whichever order they are sent', (readings, falling) => {
  for (const sent of [readings, readings.toReversed()]) {
    const reading_history = sent.map((reading) => {
      const [at = '', reading_value] = reading.split(' ');
      return { reading_date: at.slice(0, 10), ...(at.includes('T') && { reading_at: at }), reading_value };
    });
    expect(meterOf({ reading_history })).toEqual(
      falling.map((reading) => `falling_reading reading_history.${sent.indexOf(reading)}.reading_value`),
    );
  }
});

test('4.18.1 addresses of Japanese carriers are kept, and remarked', () => {
  const customers = [{ email: 'taro..t@docomo.ne.jp' }, { email: 'ab.@ezweb.ne.jp' }, { email: 'sam@example.com' }];
  const remarks = remarksOfAccount({ billing_email: 'x..y@docomo.ne.jp', customers }, { ...NONE, country: 'JP' }).map(
    ({ attr }) => attr,
  );
  expect(remarks).toEqual(['billing_email', 'customers.0.email', 'customers.1.email']);
});
