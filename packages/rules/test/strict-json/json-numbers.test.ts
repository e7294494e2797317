import fc from 'fast-check';
import { expect, test } from 'vitest';
import { survivesDouble } from '../../src/strict-json/json-numbers.ts';
import { JsonRefusal } from '../../src/strict-json/json-refusal.ts';
import { parseStrictJson, plainJson } from '../../src/strict-json/read-json.ts';

const read = (json: Uint8Array | string) => parseStrictJson(json, 'request body');

function refusalOf(json: string): JsonRefusal | undefined {
  try {
    read(json);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error;
    return error;
  }
}

/** A number as digits and a power of ten, exactly. */
function exact(number: string): string {
  const [mantissa = '', power = '0'] = number
    .toLowerCase()
    .replace('-', (sign, at) => (at === 0 ? '' : sign))
    .split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(integer + fraction);
  if (digits === 0n) return '0';
  const plain = String(digits);
  const short = plain.replace(/0{1,400}$/, '');
  return `${short}e${Number(power) - fraction.length + plain.length - short.length}`;
}

test('11.3.6 a number of more than 1,000 characters is refused, though a double may keep it', () => {
  for (const number of [`1.${'0'.repeat(999)}`, `-0.${'0'.repeat(998)}`, `1${'0'.repeat(5_000)}`, '1'.repeat(1_001)]) {
    expect(refusalOf(`{"n":[1,${number}]}`), number).toMatchObject({ code: 'number_too_precise', attr: 'n.1' });
  }
  expect(refusalOf(`{"n":1.${'0'.repeat(998)}}`)).toBeUndefined();
});

test('11.3.6 a number with at most 15 significant digits survives wherever its point is', () => {
  const digits = fc.integer({ min: 1, max: 999_999_999_999_999 }).map(String);
  const numbers = fc.tuple(digits, fc.integer({ min: 0, max: 280 }), fc.boolean()).map(([all, zeros, isSmall]) => {
    return isSmall ? `0.${'0'.repeat(zeros)}${all}` : `-${all}${'0'.repeat(zeros)}.${'0'.repeat(16)}`;
  });
  fc.assert(
    fc.property(numbers, (number) => {
      expect(exact(JSON.stringify(JSON.parse(number)))).toBe(exact(number));
      expect(refusalOf(`[${number},0.1234567890123456]`)).toBeUndefined();
    }),
  );
});

test.each([
  '99999999999.990001',
  '0.1000000000000000055',
  '12.3000000000000001',
  '9007199254740993',
  '12345678901234567890',
  '1e-400',
  '0.5e-324',
  `1.${'0'.repeat(400)}1`,
  '9'.repeat(300),
])('4.5 %s is another number once it is read, and is refused', (number) => {
  for (const readBy of [parseStrictJson, plainJson]) {
    expect(() => readBy(`{"transactions": [{"a": "1"}, {"amount": ${number}}]}`, 'request body')).toThrow(
      expect.objectContaining({ code: 'number_too_precise', attr: 'transactions.1.amount' }),
    );
  }
});

test.each([
  '0',
  '-0.00',
  '1e2',
  '1.5E+3',
  '99999999999.99',
  '12345678901.999',
  '0.1',
  '1.10',
  '100.000000000000000000',
])('4.5 %s is itself once it is read, and is left to the rules of its field', (number) => {
  expect(read(`{"amount": ${number}}`)).toEqual({ amount: Number(number) });
});

test('4.5 digits in strings and keys are no numbers', () => {
  const digits = '1'.repeat(400);
  const value = { [digits]: `${digits}.1e999`, 'a b': '\\"99999999999.990001', list: ['9007199254740993', 1.5] };
  expect(read(JSON.stringify(value))).toEqual(value);
});

test('4.5 a number passes exactly if the double it is read as is the number that was written', () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][+-]?\d{1,3})?$/);
  fc.assert(
    fc.property(digits, fc.boolean(), (number, negative) => {
      const written = negative ? `-${number}` : number;
      const read = Number(written);
      const isSame = Number.isFinite(read) && exact(String(read)) === exact(written);
      expect(survivesDouble(written)).toBe(isSame);
      expect(refusalOf(`[0, {"a": [${written}]}]`)?.attr).toBe(isSame ? undefined : '1.a.0');
    }),
    { numRuns: 3_000 },
  );
});

test('4.5 every amount of pennies and every quantity with seven decimals passes', () => {
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }), (pennies) => {
      expect(survivesDouble((pennies / 100).toFixed(2))).toBe(true);
      expect(refusalOf(JSON.stringify({ a: pennies / 100, b: [(pennies % 1e8) / 1e7] }))).toBeUndefined();
    }),
  );
});
