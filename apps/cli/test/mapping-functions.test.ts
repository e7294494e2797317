import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addFunctions } from '../src/mapping/functions.ts';
import { type Unreadable, unreadableIn } from '../src/mapping/unreadable.ts';

/** A database with the functions, and what they could not read. */
function open() {
  const database = new DatabaseSync(':memory:');
  const unreadable: Unreadable[] = [];
  addFunctions(database, (one) => unreadable.push(one));
  const value = (expression: string, ...values: (string | number | null)[]) =>
    database.prepare(`SELECT ${expression} AS value`).get(...values)?.value;
  return { database, unreadable, value };
}

/** What is wrong with the value of an expression. */
function faultOf(expression: string, ...values: (string | number | null)[]): string | undefined {
  const { value, unreadable } = open();
  const id = unreadableIn(String(value(expression, ...values)));
  return id === undefined ? undefined : unreadable[id - 1]?.detail;
}

const evaluated = (expression: string, ...values: (string | number | null)[]) => open().value(expression, ...values);

describe('25.2.11 to_money', () => {
  it.each([
    ['48.20', '48.20'],
    [' 48.2 ', '48.20'],
    ['48.20-', '-48.20'],
    ['48.20 -', '-48.20'],
    ['(48.20)', '-48.20'],
    ['(£48.20)', '-48.20'],
    ['£48.20', '48.20'],
    ['-£48.20', '-48.20'],
    ['£-48.20', '-48.20'],
    ['48.20 GBP', '48.20'],
    ['GBP 48.20', '48.20'],
    ['48,20 €', '48.20'],
    ['A$1,234.50', '1234.50'],
    ['\u221248.20', '-48.20'],
    ['+48.20', '48.20'],
    ['1.234,56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1\u00a0234,56', '1234.56'],
    ['1\u202f234,56', '1234.56'],
    [`1'234.56`, '1234.56'],
    ['1,234,567', '1234567.00'],
    ['.50', '0.50'],
    ['-.5', '-0.50'],
    ['0.125', '0.125'],
    ['48.2000', '48.20'],
    ['-0.00', '0.00'],
    ['00048.20', '48.20'],
    ['12345678901234567890.12', '12345678901234567890.12'],
  ])('reads %j, which has one reading, as %s', (text, money) => {
    expect(evaluated('to_money(?)', text)).toBe(money);
  });

  it.each([
    ['1,234', 'point', '1234.00'],
    ['1,234', 'comma', '1.234'],
    ['1.234', 'comma', '1234.00'],
    ['1.234', 'point', '1.234'],
    ['48,20', 'comma', '48.20'],
    ['48', 'comma', '48.00'],
    ['48.20 CR', 'cr-negative', '-48.20'],
    ['48.20CR', 'CR-Negative', '-48.20'],
    ['48.20 CR', 'cr-positive', '48.20'],
    ['48.20 DR', 'cr-negative', '48.20'],
    ['DR 48.20', 'cr-positive', '-48.20'],
    ['48.20 GBP CR', 'cr-negative', '-48.20'],
    ['1.234,50 CR', 'comma, cr-negative', '-1234.50'],
    ['48.20', 'cr-negative', '48.20'],
    ['000002884-', 'minor', '-28.84'],
    ['1.234', 'comma, minor', '12.34'],
    ['7', 'minor', '0.07'],
    ['12.5', 'minor', '0.125'],
  ])('reads %j with the style %j as %s', (text, style, money) => {
    expect(evaluated('to_money(?, ?)', text, style)).toBe(money);
  });

  it.each([
    ['1,234', `give the style 'point' or 'comma'`],
    ['1.234', `give the style 'point' or 'comma'`],
    ['48.20 CR', `give the style 'cr-negative' or 'cr-positive'`],
    ['(-48.20)', 'more than one sign'],
    ['-48.20-', 'more than one sign'],
    ['1.2E+12', 'Must be a decimal number'],
    ['12,34,56', 'Must be a decimal number'],
    ['forty', 'Must be a decimal number'],
    ['48.20 kWh', 'Must be a decimal number'],
    ['48.20 KWH', 'Must be a decimal number'],
    ['nan', 'Must be a decimal number'],
    ['-', 'Must be a decimal number'],
    ['9'.repeat(65), 'too long'],
  ])('does not guess what %j says', (text, fault) => {
    expect(faultOf('to_money(?)', text)).toContain(fault);
  });

  it('has one sentence for a style that is none, whatever the row', () => {
    expect(() => evaluated(`to_money('1', 'german')`)).toThrow(
      'to_money: "german" is no style. Give one or more of point, comma, cr-negative, cr-positive, minor.',
    );
  });

  it('does not read a point before decimals where the style says comma', () => {
    expect(faultOf(`to_money('48.20', 'comma')`)).toBe('Must be a decimal number, such as 12.30.');
  });

  it('refuses what SQLite has rounded', () => {
    expect(faultOf('to_money(0.1 + 0.2)')).toContain('Is an SQLite number, which is rounded.');
    expect(evaluated('to_money(9007199254740993)')).toBe('9007199254740993.00');
  });
});

describe('25.2.11 to_decimal', () => {
  it('keeps every decimal place', () => {
    expect(evaluated('to_decimal(?)', '1,234.5000-')).toBe('-1234.5000');
    expect(evaluated('to_decimal(?)', '00012')).toBe('12');
    expect(evaluated('to_decimal(?, ?)', '0,1250', 'comma')).toBe('0.1250');
  });
});

describe('25.2.11 the arithmetic', () => {
  it('is exact', () => {
    expect(evaluated(`add_money('0.1', '0.2')`)).toBe('0.30');
    expect(evaluated(`add_money('0.1', '0.2', '-0.3', 1)`)).toBe('1.00');
    expect(evaluated(`negate_money('48.20')`)).toBe('-48.20');
    expect(evaluated(`negate_money('0')`)).toBe('0.00');
    expect(evaluated(`compare_money('0.30', add_money('0.1', '0.2'))`)).toBe(0);
    expect(evaluated(`compare_money('-10', '9.99')`)).toBe(-1);
    expect(evaluated(`compare_money('10', '9.99')`)).toBe(1);
  });

  it.each([
    ['19.99', '3', 2, '59.97'],
    ['1.005', '1', 2, '1.01'],
    ['-1.005', '1', 2, '-1.01'],
    ['1.004', '1', 2, '1.00'],
    ['2', '3', 4, '6.0000'],
    ['2.5', '1', 0, '3'],
  ])('multiplies %s by %s to %s places, a half away from zero', (one, other, places, product) => {
    expect(evaluated(`multiply_money(?, ?, ?)`, one, other, String(places))).toBe(product);
  });

  it('refuses REALs and text that to_money has not read, and says how many places there may be', () => {
    expect(faultOf(`add_money('1', 0.2)`)).toContain('Is an SQLite number');
    expect(faultOf(`add_money('1', '48.20-')`)).toContain('read it with to_money first');
    expect(() => evaluated(`multiply_money('1', '1', 21)`)).toThrow('must be a whole number from 0 to 20');
    expect(() => evaluated(`add_money('1')`)).toThrow('add_money takes 2 or more arguments, and was given 1.');
  });

  it('is that of whole numbers, whatever the amounts', () => {
    const { value } = open();
    const pennies = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    const written = (units: bigint) =>
      `${units < 0n ? '-' : ''}${String(units < 0n ? -units : units).padStart(3, '0')}`.replace(/(\d\d)$/, '.$1');
    fc.assert(
      fc.property(pennies, pennies, (one, other) => {
        expect(value('add_money(?, ?)', written(one), written(other))).toBe(written(one + other));
        expect(value('compare_money(?, ?)', written(one), written(other))).toBe(
          Number(one > other) - Number(one < other),
        );
        expect(value('multiply_money(?, ?, 4)', written(one), written(other))).toBe(
          value(
            'to_decimal(?)',
            String(one * other).replace(/^(-?)(\d+)$/, (_all, sign, digits) => {
              const padded = String(digits).padStart(5, '0');
              return `${sign}${padded.slice(0, -4)}.${padded.slice(-4)}`;
            }),
          ),
        );
      }),
    );
  });
});

describe('25.2.11 sum_money', () => {
  const sum = (values: readonly (string | number | null)[], expression = 'sum_money(amount)') => {
    const { database, unreadable } = open();
    database.exec('CREATE TABLE t (amount)');
    const insert = database.prepare('INSERT INTO t VALUES (?)');
    for (const value of values) insert.run(value);
    const rows = database.prepare(`SELECT ${expression} AS value FROM t`).all();
    return { values: rows.map(({ value }) => value), unreadable };
  };

  it('adds 0.1 and 0.2 to 0.30, leaves out NULL and empty text, and is 0.00 of none', () => {
    expect(sum(['0.1', '0.2']).values).toEqual(['0.30']);
    expect(sum(['1', null, '', ' ', '2.345']).values).toEqual(['3.345']);
    expect(sum([]).values).toEqual(['0.00']);
  });

  it('is the sum of whole numbers, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })), (units) => {
        const texts = units.map((one) => `${one < 0n ? '-' : ''}0.${String(one < 0n ? -one : one).padStart(20, '0')}`);
        const [value] = sum(texts).values;
        const total = units.reduce((one, other) => one + other, 0n);
        const expected = `${total < 0n ? '-' : ''}0.${String(total < 0n ? -total : total).padStart(20, '0')}`;
        expect(value).toBe(expected.replace(/(\.\d\d\d*?)0*$/, '$1'));
      }),
      { numRuns: 50 },
    );
  });

  it('sums over windows', () => {
    const running = sum(['1.10', '2.20', '3.30'], 'sum_money(amount) OVER (ORDER BY rowid ROWS 1 PRECEDING)');
    expect(running.values).toEqual(['1.10', '3.30', '5.50']);
  });

  it('is unreadable where one value is', () => {
    const { values, unreadable } = sum(['1.10', '48.20-', '3.30']);
    expect(unreadableIn(String(values[0]))).toBe(1);
    expect(unreadable).toMatchObject([{ function: 'sum_money', argument: '48.20-' }]);
    expect(sum(['1.10', 0.2]).unreadable[0]?.detail).toContain('Is an SQLite number');
  });
});

describe('25.2.11 to_date', () => {
  it.each([
    ['05/04/2026', 'DD/MM/YYYY', '2026-04-05'],
    ['5/4/2026', 'DD/MM/YYYY', '2026-04-05'],
    ['5/4/2026', 'd/m/yyyy', '2026-04-05'],
    ['05/04/2026', 'mm/dd/yyyy', '2026-05-04'],
    ['01-Nov-26', 'DD-MON-RR', '2026-11-01'],
    ['01-NOV-49', 'DD-MON-RR', '2049-11-01'],
    ['01-NOV-50', 'DD-MON-RR', '1950-11-01'],
    ['01 nov 2026', 'DD MMM YYYY', '2026-11-01'],
    ['20261101', 'YYYYMMDD', '2026-11-01'],
    ['20261101 000000', 'YYYYMMDD HH24MISS', '2026-11-01'],
    ['2026-11-01 00:00:00.000', 'YYYY-MM-DD', '2026-11-01'],
    ['2026-11-01T23:30:00', 'YYYY-MM-DD"T"HH24:MI:SS', '2026-11-01'],
    ['2026-11-01T23:30:00Z', 'YYYY-MM-DDTHH:MI:SSZ', '2026-11-01'],
    [' 2024-02-29 ', 'YYYY-MM-DD', '2024-02-29'],
    ['1231231', 'CYYMMDD', '2023-12-31'],
    ['0991231', 'CYYMMDD', '1999-12-31'],
    ['991231', 'CYYMMDD', '1999-12-31'],
    ['0000000', 'CYYMMDD', ''],
    ['0', 'CYYMMDD', ''],
  ])('reads %j in the format %j', (text, format, day) => {
    expect(evaluated('to_date(?, ?)', text, format)).toBe(day);
  });

  it('reads years of two digits by the pivot', () => {
    expect(evaluated(`to_date('01.11.29', 'DD.MM.YY', 30)`)).toBe('2029-11-01');
    expect(evaluated(`to_date('01.11.30', 'DD.MM.YY', '30')`)).toBe('1930-11-01');
    expect(evaluated(`to_date('01.11.99', 'DD.MM.RR', 100)`)).toBe('2099-11-01');
    expect(() => evaluated(`to_date('01.11.99', 'DD.MM.YY')`)).toThrow('has years of two digits. Write RR');
    expect(() => evaluated(`to_date('01.11.99', 'DD.MM.YY', 1930)`)).toThrow('The pivot must be a whole number from 0');
  });

  it.each([
    ['2026-02-30', 'YYYY-MM-DD', 'Must be a real calendar day'],
    ['2026-13-01', 'YYYY-MM-DD', 'Must be a real calendar day'],
    ['01/11/26', 'DD/MM/YYYY', 'Must be a day written DD/MM/YYYY.'],
    ['01-NOW-26', 'DD-MON-RR', 'Must be a day written DD-MON-RR.'],
    ['2026115', 'YYYYMMDD', 'Must be a day written YYYYMMDD.'],
    ['1231332', 'CYYMMDD', 'Must be a real calendar day'],
    ['20231231', 'CYYMMDD', 'Must be a day written CYYMMDD.'],
    ['2026-11-01 10:00:00', 'YYYY-MM-DD', 'Must be a day written YYYY-MM-DD.'],
    ['tomorrow', 'YYYY-MM-DD', 'Must be a day written YYYY-MM-DD.'],
  ])('refuses the row of %j in the format %j', (text, format, fault) => {
    expect(faultOf('to_date(?, ?)', text, format)).toContain(fault);
  });

  it.each([
    ['DD/MM', 'is not a date format'],
    ['DD/MM/YYY', 'is not a date format'],
    ['nonsense', 'is not a date format'],
    ['', 'is not a date format'],
    ['YYYY-MM-DD HH24:MM', 'Write MI for minutes.'],
    ['YYYY-MM-DD DD', 'has the day twice'],
  ])('ends the mapping where the format is %j', (format, sentence) => {
    expect(() => evaluated('to_date(?, ?)', '2026-11-01', format)).toThrow(sentence);
  });
});

describe('25.2.11 to_datetime', () => {
  const london = (text: string, format: string, ...words: string[]) =>
    [format, 'Europe/London', ...words].reduce((all, word) => `${all}, '${word}'`, `to_datetime('${text}'`).concat(')');

  it.each([
    ['2026-01-01 10:00:00', 'YYYY-MM-DD HH24:MI:SS', '2026-01-01T10:00:00Z'],
    ['2026-07-01 10:00', 'yyyy-MM-dd HH:mm', '2026-07-01T09:00:00Z'],
    ['01/07/2026 9:05', 'dd/mm/yyyy hh:mm', '2026-07-01T08:05:00Z'],
    ['01-NOV-26 02.30.00.000000 PM', 'DD-MON-RR HH.MI.SS.FF AM', '2026-11-01T14:30:00Z'],
    ['11/1/2026 12:00:00 AM', 'M/D/YYYY H:MI:SS AM', '2026-11-01T00:00:00Z'],
    ['2026-07-01', 'YYYY-MM-DD', '2026-06-30T23:00:00Z'],
    ['2026-07-01T10:00:00Z', 'YYYY-MM-DD"T"HH24:MI:SS', '2026-07-01T10:00:00Z'],
    ['2026-07-01 10:00:00+0530', 'YYYY-MM-DD HH24:MI:SS', '2026-07-01T04:30:00Z'],
    ['2025-01-01 10:00:00.000', 'YYYY-MM-DD HH24:MI:SS.FF3', '2025-01-01T10:00:00Z'],
  ])('reads %j in the format %j', (text, format, instant) => {
    expect(evaluated(london(text, format))).toBe(instant);
  });

  it('cuts a fraction of a second only when it is told to', () => {
    const format = 'YYYY-MM-DD HH:MI:SS.FF';
    expect(faultOf(london('2025-01-01 10:00:00.1234567', format))).toContain(`Add 'cut' to cut it.`);
    expect(evaluated(london('2025-01-01 10:00:00.1234567', format, 'cut'))).toBe('2025-01-01T10:00:00Z');
  });

  it('asks which of the two hours is meant when the clocks go back, and refuses a time that never was', () => {
    const format = 'YYYY-MM-DD HH:MI:SS.FF';
    const twice = '2026-10-25 01:30:00.5';
    expect(faultOf(london(twice, format, 'cut'))).toContain(`Add 'earlier' or 'later'.`);
    expect(evaluated(london(twice, format, 'earlier cut'))).toBe('2026-10-25T00:30:00Z');
    expect(evaluated(london(twice, format, 'later cut'))).toBe('2026-10-25T01:30:00Z');
    expect(faultOf(london('2026-03-29 01:30:00.0', format, 'later'))).toContain('the clocks went forward');
  });

  it('refuses the row of a time that no clock shows', () => {
    expect(faultOf(london('2026-01-01 24:00', 'YYYY-MM-DD HH:MI'))).toBe('Must be a real time of day.');
    expect(faultOf(london('2026-01-01 13:00 PM', 'YYYY-MM-DD HH:MI AM'))).toContain('Must be a datetime written');
    expect(faultOf(london('2026-02-30 10:00', 'YYYY-MM-DD HH:MI'))).toContain('Must be a real calendar day');
  });

  it('ends the mapping where the zone or the choice is none', () => {
    expect(() => evaluated(`to_datetime('x', 'YYYY-MM-DD', 'London')`)).toThrow('Unknown time zone "London"');
    expect(() => evaluated(`to_datetime('x', 'YYYY-MM-DD', 'UTC', 'first')`)).toThrow('"first" is not known');
    expect(() => evaluated(`to_datetime('x', 'YYYY-MM-DD')`)).toThrow('to_datetime takes 3 to 4 arguments');
  });
});

describe('25.2.11 the other functions', () => {
  it.each([
    ['07700 900456', 'GB', '+447700900456'],
    ['7700900123', 'GB', '+447700900123'],
    ['+1 (608) 271-9000 x11', 'GB', '+16082719000 ext. 11'],
    ['(02) 9876 5432', 'AU', '+61298765432'],
  ])('to_phone reads %j in %s', (text, country, phone) => {
    expect(evaluated('to_phone(?, ?)', text, country)).toBe(phone);
  });

  it('to_phone refuses a row without a phone number, and a mapping without a country', () => {
    expect(faultOf(`to_phone('7700900456.0', 'GB')`)).toContain('Must be a phone number of GB');
    expect(faultOf(`to_phone('call me on 07700 900456', 'GB')`)).toContain('Must be a phone number of GB');
    expect(() => evaluated(`to_phone('07700 900456', 'UK')`)).toThrow(
      `"UK" is no country. Give its code, such as 'GB'.`,
    );
  });

  it('excel_date counts as Excel does', () => {
    expect(evaluated(`excel_date('46113')`)).toBe('2026-04-01');
    expect(evaluated('excel_date(46113.0)')).toBe('2026-04-01');
    expect(evaluated(`excel_date('61')`)).toBe('1900-03-01');
    expect(evaluated(`excel_date('2958465')`)).toBe('9999-12-31');
    expect(faultOf(`excel_date('60')`)).toContain('Is no day from March 1900');
    expect(faultOf(`excel_date('46113.5')`)).toContain('Has a time of day.');
    expect(faultOf(`excel_date('01/04/2026')`)).toContain('Must be the number of a day');
  });

  it('unpad and pad change leading zeros alone', () => {
    expect(evaluated(`unpad('000120')`)).toBe('120');
    expect(evaluated(`unpad(' 000 ')`)).toBe('0');
    expect(evaluated(`unpad('A-001')`)).toBe('A-001');
    expect(evaluated(`pad('120', 6)`)).toBe('000120');
    expect(evaluated(`pad(120, '6')`)).toBe('000120');
    expect(faultOf(`pad('1234567', 6)`)).toBe('Is longer than 6 characters.');
    expect(() => evaluated(`pad('1', -1)`)).toThrow('The length must be a whole number from 0 to 255.');
  });

  it('null_if knows the words that stand for nothing', () => {
    expect(evaluated(`null_if('N/A', 'NULL', 'N/A')`)).toBeNull();
    expect(evaluated(`null_if(' N/A ', 'N/A')`)).toBeNull();
    expect(evaluated(`null_if('n/a', 'N/A')`)).toBe('n/a');
    expect(evaluated(`null_if(' kept ', 'N/A')`)).toBe(' kept ');
  });
});

describe('25.2.11 every function', () => {
  const CALLS = [
    'to_money(?)',
    'to_decimal(?)',
    `add_money(?, '1')`,
    `add_money('1', ?)`,
    'negate_money(?)',
    `multiply_money('2', ?, 2)`,
    `compare_money('2', ?)`,
    `to_date(?, 'YYYY-MM-DD')`,
    `to_datetime(?, 'YYYY-MM-DD', 'UTC')`,
    `to_phone(?, 'GB')`,
    'excel_date(?)',
    'unpad(?)',
    'pad(?, 5)',
    `null_if(?, 'N/A')`,
  ];

  it.each(CALLS)('%s is NULL of NULL and of empty text, and hands on what another could not read', (call) => {
    const { value, unreadable } = open();
    expect(value(call, null)).toBeNull();
    expect(value(call, '')).toBeNull();
    expect(value(call, '  ')).toBeNull();
    const token = String(value(`to_money('x')`));
    expect(value(call, token)).toBe(token);
    expect(unreadable).toHaveLength(1);
    expect(unreadable).toEqual([
      { function: 'to_money', detail: 'Must be a decimal number, such as 12.30.', argument: 'x' },
    ]);
  });

  it('cuts a value of 10 MB in what it remembers', () => {
    const { value, unreadable } = open();
    value('to_money(?)', 'x'.repeat(10_000_000));
    expect(unreadable[0]?.argument).toHaveLength(200);
  });
});
