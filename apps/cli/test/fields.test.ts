import { ERROR_CODES, FIELD_CODES, REMARKS } from '@causeway/contracts';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../src/convert/kinds.ts';
import { causeway, failure } from './support/causeway.ts';
import { convert } from './support/convert.ts';

interface Field {
  view: string;
  column: string;
  path: string;
  required: boolean | 'some';
  description: string;
}

describe('25.2.15 causeway fields', () => {
  it('lists every field with its path, its type, whether it is required and what it is, without a service', async () => {
    const fields: Field[] = (await causeway(['fields', '--json'])).json().fields;
    const at = (place: string) => fields.find(({ view, column }) => `${view}.${column}` === place);
    expect(at('readings.reading_date')).toMatchObject({
      path: 'supply_addresses.*.meter_points.*.meters.*.transfer_readings.*.reading_date',
      required: true,
      description: expect.stringMatching(/\w/),
    });
    expect(at('transactions.reason')).toMatchObject({ path: 'transactions.*.reason', required: 'some' });
    expect(at('transactions.type')).toMatchObject({ choices: expect.arrayContaining(['PAYMENT', 'SUPPLY_CHARGE']) });
    expect(at('accounts.last_billed_to_date')).toMatchObject({ type: 'date', required: false });
    expect(new Set(fields.map(({ view }) => view)).size).toBe(KINDS.length);
    expect(fields.filter(({ description, column }) => description === '' && !/\btype$/.test(column))).toEqual([]);
    const places = fields.map(({ view, path, column }) => `${view} ${path} ${column}`);
    expect(places).toHaveLength(new Set(places).size);
  });

  it('lists those that have all words, of one kind if the first word is one', async () => {
    const { stdout, code } = await causeway(['fields', 'historical-transactions', 'AMOUNT']);
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^historical_transactions\.amount {2}decimal {2}required {2}/),
    ]);
    const lines = (await causeway(['fields', 'supply', 'from', 'date'])).stdout;
    expect(lines).toMatch(/^supply_points\.customer_at_supply_address_from_date {2}date {2}required {2}The first day/m);
    expect(await causeway(['fields', 'given_nmae'])).toMatchObject(failure(2, 'No field has given_nmae.'));
    expect((await causeway(['fields', 'given_nmae'])).stderr).toContain('Is it customers.given_name');
  });

  it('is named where a column is unknown', async () => {
    const refused = await convert({ accounts: 'external_account_number,import_supplier,nmae\nHV-1,HV,Zoë\n' });
    expect(refused).toMatchObject(failure(2, 'has a column that no accounts have'));
    expect(refused.stderr).toContain('All that they have: causeway fields accounts');
  });
});

describe('25.2.15 causeway codes', () => {
  it('lists every code of errors, fields and remarks with when it comes, and what to do', async () => {
    const { codes } = (await causeway(['codes', '--json'])).json();
    const names = codes.map(({ code }: { code: string }) => code);
    for (const all of [ERROR_CODES, FIELD_CODES, REMARKS])
      expect(names).toEqual(expect.arrayContaining(Object.keys(all)));
    const { stdout } = await causeway(['codes', 'unlikely_meter_point', 'remark']);
    expect(stdout).toMatch(/^unlikely_meter_point {2}\(remark\)\n {4}The identifier of a meter point/);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(REMARKS.unlikely_meter_point.remedy);
    expect(await causeway(['codes', 'nothing_such'])).toMatchObject(failure(2, 'No code has nothing_such.'));
    const balance = await causeway(['codes', 'balance_does_not_add_up']);
    expect(balance.stdout.replaceAll(/\s+/g, ' ')).toContain(
      '`transfer_balance` is the `last_statement_balance` with the transactions since then, `last_statement_balance` is all `historical_transactions`,',
    );
  });
});
