import { describe, expect, test } from 'vitest';
import { AccountPayload, asStored, MeterReading, Note, Statement, Transaction } from '../src/index.ts';
import { account, charge, lineItem, statement, supplyCharge } from './support.ts';

describe('4.16.2 what is read back', () => {
  test.each([
    [86.5, '86.50'],
    [-0.1, '-0.10'],
    [99_999_999_999.99, '99999999999.99'],
    [7, '7.00'],
    ['007.5', '7.50'],
    ['-12', '-12.00'],
  ])('4.16.2 has money as a string with two decimals: %j is %s', (amount, expected) => {
    expect(asStored(Statement, { ...statement, gross_amount: amount })).toEqual({
      ...statement,
      gross_amount: expected,
    });
    expect(asStored(AccountPayload, account({ payment_schedules: [{ amount }] }))).toMatchObject({
      payment_schedules: [{ amount: expected }],
    });
  });

  test.each([
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [312.4, '312.4'],
    [-3, '-3'],
    ['0.1000000000', '0.1'],
    ['12345678.1234567891', '12345678.1234567891'],
  ])('4.16.2 has another decimal number as a string with as many decimals as it needs: %j is %s', (units, expected) => {
    const sent = { ...supplyCharge, line_items: [{ ...lineItem, number_of_units: units, units: [units] }] };
    const { line_items } = asStored(Transaction, sent) as typeof sent;
    expect(line_items).toMatchObject([{ number_of_units: expected, units: [expected] }]);
  });

  test('4.16.2 has a reading with the zeros of its dial', () => {
    const reading = { reading_date: '2026-02-28', reading_value: '04821.50' };
    expect(asStored(MeterReading, reading)).toEqual(reading);
    expect(asStored(MeterReading, { ...reading, reading_value: 4821.5 })).toMatchObject({ reading_value: '4821.5' });
  });

  test('4.16.2 has a datetime as it is sent, and whole numbers and texts as they are', () => {
    const note = { body: '2026-01-01T00:00:00+00:00 1.50', created_at: '2026-01-01T00:00:00+00:00', is_pinned: true };
    expect(asStored(Note, note)).toEqual({ ...note, created_at: '2026-01-01T00:00:00Z' });
    const payload = account({ payment_schedules: [{ day_of_month: 12 }], billing_name: '7.5' });
    expect(asStored(AccountPayload, payload)).toEqual(payload);
  });

  test('4.16.2 changes nothing of what it is given', () => {
    const sent = Object.freeze({ ...charge });
    expect(asStored(Transaction, sent)).toEqual({ ...charge, amount: '12.30' });
    expect(sent.amount).toBe(12.3);
  });
});
