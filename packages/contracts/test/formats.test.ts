import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  CalendarDate,
  CountryCode,
  EmailAddress,
  EmailSender,
  isUnusualEmailAddress,
  LanguageTag,
  Postcode,
  UtcDatetime,
} from '../src/formats.ts';
import { ExternalAccountNumber, ImportSupplierCode } from '../src/identifiers.ts';
import {
  decimalText,
  fitsDecimalPlaces,
  Money,
  MoneyNotNegative,
  moneyText,
  Quantity,
  UnroundedMoney,
} from '../src/numbers.ts';
import { upperSnake } from '../src/text.ts';
import { problems } from './support.ts';

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
const code = (schema: z.ZodType, value: unknown) => problems(schema, value)[0]?.slice(2);

test('2.2 takes every real day of 1900 to 2200 and no other', () => {
  for (let year = 1899; year <= 2201; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const date = new Date(Date.UTC(year, month - 1, day));
        const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        if (accepts(CalendarDate, text) !== (isReal && year >= 1900 && year <= 2200)) throw new Error(text);
      }
    }
  }
});

test.each(['', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '٢٠٢٦-01-01'])(
  '2.2 refuses %j as a date',
  (text) => {
    expect(code(CalendarDate, text)).toBe('invalid_date');
  },
);

test('2.2 takes a moment in whole seconds of UTC only', () => {
  expect(accepts(UtcDatetime, '2026-04-17T23:59:59Z')).toBe(true);
  for (const text of [
    '2026-04-17',
    '2026-04-17T24:00:00Z',
    '2026-04-17T23:60:00Z',
    '2026-04-17T23:59:60Z',
    '2026-04-17T23:59:59',
    '2026-04-17T23:59:59.000Z',
    '2026-04-17T23:59:59+01:00',
    '2026-02-29T00:00:00Z',
    '2026-04-17 23:59:59Z',
  ]) {
    expect(code(UtcDatetime, text)).toBe('invalid_datetime');
  }
});

describe('2.2 money', () => {
  test('takes every amount of whole pennies below 10^11', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (pennies) => {
        fc.pre(Math.abs(pennies) < 1e13);
        expect(accepts(Money, Number(`${pennies}e-2`))).toBe(true);
      }),
    );
  });

  test('refuses exactly the numbers whose shortest spelling has more than two decimals', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e11, max: 1e11, minExcluded: true, maxExcluded: true, noNaN: true }), (amount) => {
        const [digits = '', exponent = '0'] = String(amount).split('e');
        const decimals = Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
        expect(fitsDecimalPlaces(amount, 2)).toBe(decimals <= 2);
        expect(fitsDecimalPlaces(amount, 10)).toBe(decimals <= 10);
      }),
    );
  });

  test('refuses 10^11 and beyond, and what is no number', () => {
    expect(code(Money, 1e11)).toBe('max_value');
    expect(code(Money, -1e11)).toBe('min_value');
    expect(problems(Money, 1e300)).toEqual([': max_value']);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 'one', true, {}])
      expect(code(Money, value)).toBe('invalid');
  });

  test('quantities have ten decimals, below 10^8', () => {
    expect(accepts(Quantity, 0.1234567891)).toBe(true);
    expect(accepts(Quantity, 99_999_999.9999999)).toBe(true);
    expect(accepts(Quantity, 1e-10)).toBe(true);
    expect(accepts(Quantity, '99999999.9999999999')).toBe(true);
    expect(code(Quantity, 0.12345678912)).toBe('max_decimal_places');
    expect(code(Quantity, 1e-11)).toBe('max_decimal_places');
    expect(code(Quantity, '0.12345678912')).toBe('max_decimal_places');
    expect(code(Quantity, 1e8)).toBe('max_value');
    expect(code(Quantity, '100000000')).toBe('max_value');
  });

  test('money before it is rounded has ten decimals, below 10^11, also where a double would not keep it', () => {
    expect(accepts(UnroundedMoney, 76.5432109876)).toBe(true);
    expect(accepts(UnroundedMoney, '99999999999.9999999999')).toBe(true);
    expect(code(UnroundedMoney, '100000000000')).toBe('max_value');
    expect(code(UnroundedMoney, '0.00000000001')).toBe('max_decimal_places');
  });

  test('money is taken as a decimal string too, with the limits and the signs of a number', () => {
    for (const text of ['0', '-0.00', '12.3', '-99999999999.99', '007.50']) expect(accepts(Money, text)).toBe(true);
    for (const text of [
      '',
      '+1',
      '1,00',
      '1.',
      '.5',
      '1e3',
      ' 1',
      '--1',
      '1 ',
      '٣',
      '0x10',
      'NaN',
      `${'0'.repeat(70)}1`,
    ])
      expect(code(Money, text)).toBe('invalid');
    expect(code(Money, '1.005')).toBe('max_decimal_places');
    expect(code(Money, '100000000000')).toBe('max_value');
    for (const zero of [0, -0, '0', '-0.00', '000']) {
      expect(accepts(Money, zero)).toBe(true);
      expect(accepts(MoneyNotNegative, zero === '-0.00' ? '0.00' : zero)).toBe(true);
    }
    for (const negative of [-0.01, '-0.01']) expect(accepts(Money, negative)).toBe(true);
    expect(code(MoneyNotNegative, -0.01)).toBe('min_value');
    expect(code(MoneyNotNegative, '-0.01')).toBe('invalid');
    expect(problems(Money, undefined)).toEqual([': required']);
    expect(problems(Money, null)).toEqual([': null']);
  });

  test('accepts a number at once exactly where all its rules hold', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(0, -0, 0.01, -0.01, 1e11, -1e11, 99_999_999_999.99, 1.005, Number.NaN),
      fc.integer({ min: -1e6, max: 1e6 }).map((pence) => pence / 100),
    );
    fc.assert(
      fc.property(value, (amount) => {
        for (const schema of [Money, MoneyNotNegative, Quantity, UnroundedMoney]) {
          expect(accepts(schema, amount)).toBe(accepts(schema.def.options[0], amount));
        }
      }),
    );
  });

  test('a number and its string are one amount, kept to the last digit', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat({ max: 5 }), (pennies, zeros) => {
        fc.pre(Math.abs(pennies) < 1e13);
        const digits = String(Math.abs(pennies)).padStart(3, '0');
        const text = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
        const sign = pennies < 0 ? '-' : '';
        expect(moneyText(Number(`${pennies}e-2`))).toBe(sign + text);
        expect(moneyText(`${sign}${'0'.repeat(zeros)}${text}`)).toBe(sign + text);
      }),
    );
    expect(['-0', '-0.00', '12', '12.3', '00'].map(moneyText)).toEqual(['0.00', '0.00', '12.00', '12.30', '0.00']);
    expect([1e-10, '0.0000000001', 0.05, '0.050', '00.05', 12, '12.0', -0, '-0'].map(decimalText)).toEqual([
      '0.0000000001',
      '0.0000000001',
      '0.05',
      '0.05',
      '0.05',
      '12',
      '12',
      '0',
      '0',
    ]);
    expect(decimalText('99999999999.9999999999')).toBe('99999999999.9999999999');
    expect(decimalText(-12_345_678.1234567)).toBe('-12345678.1234567');
  });
});

test('2.2 takes e-mail addresses that people have', () => {
  for (const text of [
    'a@b.co',
    "o'brien+bills@mail.example.co.uk",
    'zoë@müller.example',
    'x_1@xn--mller-kva.example',
    'taro..t@docomo.ne.jp',
    'ab.@ezweb.ne.jp',
    '.a@b.co',
  ]) {
    expect(accepts(EmailAddress, text)).toBe(true);
  }
  for (const text of [
    '',
    'a',
    'a@b',
    'a@@b.co',
    'a b@c.de',
    '..@b.co',
    'a@-b.co',
    'a@b..co',
    'a@b.co\n',
    'a@1.2.3.4',
  ]) {
    expect(code(EmailAddress, text)).toBe('invalid_email');
  }
  expect(['ab.@ezweb.ne.jp', 'taro..t@docomo.ne.jp', '.a@b.co', 'a.b@c.co'].map(isUnusualEmailAddress)).toEqual([
    ...[true, true, true, false],
  ]);
  expect(accepts(EmailSender, 'Northwind <a..b@c.de>')).toBe(false);
  expect(
    code(EmailAddress, `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(30)}`),
  ).toBe('max_length');
});

test('2.2 takes language tags, countries and postcodes of their shape', () => {
  for (const tag of ['en', 'en-GB', 'zh-Hant-TW', 'es-419', 'de-CH-1996', 'en-x-team'])
    expect(accepts(LanguageTag, tag)).toBe(true);
  for (const tag of ['e', 'english', 'en_GB', 'en-', 'en-GB-']) expect(code(LanguageTag, tag)).toBe('invalid');
  expect(['GB', 'AU', 'DE', 'US', 'XK', 'UK', 'gb', 'GBR', ''].map((text) => accepts(CountryCode, text))).toEqual([
    ...[true, true, true, true],
    ...[false, false, false, false, false],
  ]);
  for (const text of ['LS1 4AP', '0800', 'D-10115', 'ab']) expect(accepts(Postcode, text)).toBe(true);
  for (const text of ['', 'A', ' LS1', 'LS1 4AP EXTRA', 'LS1_4AP'])
    expect(code(Postcode, text)).toBe('invalid_postcode');
});

test('2.1 identifiers have their lengths and characters', () => {
  expect(accepts(ImportSupplierCode, 'A-Z_09')).toBe(true);
  expect(accepts(ImportSupplierCode, 'A'.repeat(64))).toBe(true);
  expect(problems(ImportSupplierCode, 'A'.repeat(65))).toEqual([': max_length']);
  expect(problems(ImportSupplierCode, 'acme')).toEqual([': invalid']);
  expect(problems(ImportSupplierCode, '')).toEqual([': blank']);
  expect(accepts(ExternalAccountNumber, '😀'.repeat(128))).toBe(true);
  expect(problems(ExternalAccountNumber, '😀'.repeat(129))).toEqual([': max_length']);
  expect(accepts(ExternalAccountNumber, '../Ä ?#%2e')).toBe(true);
  expect(problems(ExternalAccountNumber, ' ')).toEqual([': blank']);
  expect(problems(ExternalAccountNumber, 'a\u0000')).toEqual([': invalid_characters']);
  expect(problems(ExternalAccountNumber, 'a\ud800')).toEqual([': invalid_characters']);
  expect(accepts(upperSnake(), 'DD_REGULAR_COLLECTION')).toBe(true);
  expect(problems(upperSnake(), 'Card')).toEqual([': invalid']);
});
