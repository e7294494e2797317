import fc from 'fast-check';
import { isPossiblePhoneNumber } from 'libphonenumber-js';
import { describe, expect, test } from 'vitest';
import { checkAccount } from '../src/check-account.ts';
import { checkMandates } from '../src/check-mandates.ts';

const TODAY = '2026-03-02';

function problems(payload: unknown, country = 'GB'): string[] {
  return checkAccount(payload, { importSupplier: { country }, today: TODAY }).map(
    ({ attr, code }) => `${attr}: ${code}`,
  );
}

const landline = (value: unknown) => ({ customers: [{ landline: value }] });

describe('the rules of an account that depend on its supplier and on today', () => {
  test.each(['0113 496 0999', '+44 113 496 0999', '(0113) 496-0999', '07700900123', '+1 212 555 0100', '0800 1111'])(
    '2.10 takes %s for a phone number in GB',
    (number) => {
      expect(problems(landline(number))).toEqual([]);
    },
  );

  test('2.10 takes for a phone number in GB what the library takes for one', () => {
    const usual = fc.stringMatching(/^(?:\+44 ?|00?|44|\+1)[0-9](?: ?\d){8,10}$/);
    fc.assert(
      fc.property(usual, (number) => {
        expect(problems(landline(number)).length === 0).toBe(isPossiblePhoneNumber(number, 'GB'));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['', '1', '12', 'none', '+', '+999 1234567', '0113 496 0999 0999 0999', '٠', '+44', 'tel:ask'])(
    '2.10 takes %j for none',
    (number) => {
      expect(problems(landline(number))).toEqual(['customers.0.landline: invalid_phone_number']);
    },
  );

  test.each([
    ['FR', '01 70 18 99 00', '0113 496 0999'],
    ['NZ', '09 123 4567', '1'],
    ['US', '(212) 555-0100', '0113 496 0999 1'],
  ])('2.10 judges a number by the country of the supplier: %s', (country, good, bad) => {
    expect(problems(landline(good), country)).toEqual([]);
    expect(problems(landline(bad), country)).toEqual(['customers.0.landline: invalid_phone_number']);
  });

  test.each(['SW1A 1AA', 'sw1a1aa', 'M1 1AE', 'GIR 0AA', 'EC1A 1BB', 'B33 8TH', 'CR2 6XH', 'DN55 1PT'])(
    '2.10 takes %s for a postcode in GB',
    (postcode) => {
      expect(problems({ billing_postcode: postcode })).toEqual([]);
    },
  );

  test.each(['75001', 'SW1A', 'SW1A  1AA', 'SW1A-1AA', '1AA SW1A', ''])(
    '2.10 takes %j for none, in GB only',
    (postcode) => {
      expect(problems({ billing_postcode: postcode })).toEqual(['billing_postcode: invalid_postcode']);
      expect(problems({ billing_postcode: postcode }, 'FR')).toEqual([]);
    },
  );

  test('2.10.4 a foreign postcode in the legacy form names the way out', () => {
    const found = ['D02 X285', '75008', 'AI-2640'].flatMap((billing_postcode) =>
      checkAccount({ billing_postcode }, { importSupplier: { country: 'GB' }, today: TODAY }),
    );
    expect(found.map(({ code }) => code)).toEqual(new Array(3).fill('invalid_postcode'));
    for (const { detail } of found)
      expect(detail).toMatch(/billing_address, with its country.*“How to write a landlord abroad”/);
  });

  test.each<[Record<string, unknown>, string[]]>([
    [{ scheme: 'BACS', reference: 'NW0001482', account_holder: 'Z Hartley', signed_on: TODAY }, []],
    [{ scheme: 'SEPA', creditor_id: 'DE98ZZZ09999999999', account_number_last_four: '3000' }, []],
    [
      { scheme: 'BACS', account_number: '12345678', sort_code: '112233' },
      ['account_number', 'sort_code'].map((name) => `${name}: whole_account_number`),
    ],
    [{ scheme: 'SEPA', iban: 'DE89370400440532013000' }, ['iban: whole_account_number']],
    [{ scheme: 'SEPA', reference: 'DE89 3704 0044 0532 0130 00' }, ['reference: whole_account_number']],
    [
      { scheme: 'SEPA', accountNumber: '1', bank: { 'Sort-Code': '112233' } },
      ['accountNumber: whole_account_number', 'bank: whole_account_number'],
    ],
    [{ scheme: 'ACH', account_holder: 'Z Hartley 12345678' }, ['account_holder: whole_account_number']],
    [{ scheme: 'SEPA', signed_on: '2026-03-03' }, ['signed_on: date_in_future']],
  ])('2.10.29 the mandate %j has no whole account number', (mandate, expected) => {
    const found = checkMandates({ payment_schedules: [{}, { mandate }, null] }, { today: TODAY });
    expect(found.map(({ attr, code }) => `${attr}: ${code}`)).toEqual(
      expected.map((problem) => `payment_schedules.1.mandate.${problem}`),
    );
  });

  test('2.10 takes today for a day already billed, but not for a birthday', () => {
    expect(problems({ last_billed_to_date: TODAY, customers: [{ date_of_birth: '2026-03-01' }] })).toEqual([]);
    expect(problems({ last_billed_to_date: '2026-03-03', customers: [{ date_of_birth: TODAY }] })).toEqual([
      'last_billed_to_date: date_in_future',
      'customers.0.date_of_birth: date_in_future',
    ]);
  });

  test('7.2 names every place of a payload that is wrong', () => {
    const payload = {
      customers: [
        { mobile: '1', alternative_phone_numbers: ['07700 900123', '2', { phone_number: '4' }] },
        null,
        { landline: '3' },
      ],
      supply_addresses: [
        { supply_postcode: 'M1 1AE' },
        { supply_postcode: 'x', property_administrators: [{ mobile: '5' }] },
      ],
    };
    expect(problems(payload)).toEqual([
      'customers.0.mobile: invalid_phone_number',
      'customers.0.alternative_phone_numbers.1: invalid_phone_number',
      'customers.0.alternative_phone_numbers.2.phone_number: invalid_phone_number',
      'customers.2.landline: invalid_phone_number',
      'supply_addresses.1.supply_postcode: invalid_postcode',
      'supply_addresses.1.property_administrators.0.mobile: invalid_phone_number',
    ]);
  });

  test.each([
    [undefined],
    [null],
    [7],
    ['text'],
    [[]],
    [{ customers: 'x' }],
    [{ customers: [[], 7, 'x', { alternative_phone_numbers: { 0: '1' } }] }],
    [landline(1)],
    [landline(null)],
    [landline({})],
    [{ supply_addresses: [null, 'x'] }],
    [{ last_billed_to_date: 'tomorrow' }],
  ])('7.2 passes over what is not of its type, which the schema names: %j', (payload) => {
    expect(problems(payload)).toEqual([]);
  });

  test('2.10 looks at nothing that is refused for its length', () => {
    expect(problems(landline('x'.repeat(1_000_000)))).toEqual([]);
    expect(problems({ customers: Array(51).fill({ landline: '1' }) })).toEqual([]);
    expect(problems({ customers: [{ alternative_phone_numbers: Array(101).fill('1') }] })).toEqual([]);
    expect(problems({ supply_addresses: Array(501).fill({ supply_postcode: 'x' }) })).toEqual([]);
  });

  test('7.2 names as many problems as are reported', () => {
    const customers = Array(50).fill({ alternative_phone_numbers: Array(100).fill('1') });
    const found = problems({ customers });
    expect([found.length, found.at(-1)]).toEqual([
      100,
      'customers.0.alternative_phone_numbers.99: invalid_phone_number',
    ]);
    expect(problems({ supply_addresses: Array(500).fill({ supply_postcode: 'x' }) })).toHaveLength(100);
  });
});
