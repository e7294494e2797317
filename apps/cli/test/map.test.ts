import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { isMeterPoint } from '@causeway/rules';
import { describe, expect, it } from 'vitest';
import { fieldsNamed, keyNamed } from '../src/map/fields.ts';
import { judgeColumn, type Knowledge } from '../src/map/judge-column.ts';
import { wordsOf } from '../src/map/name-words.ts';
import { surveyValues } from '../src/map/survey-values.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { germanExports } from './support/german-exports.ts';

const EXTRACT = path.resolve(import.meta.dirname, '../../../examples/legacy-extract/extract');
const KNOWN: Knowledge = { timeZone: undefined, country: undefined };

/** How a column of these values is read as a field, or why it is left open. */
function judged(
  kind: Parameters<typeof judgeColumn>[1]['kind'],
  field: string,
  values: readonly string[],
  known = KNOWN,
) {
  const verdict = judgeColumn({ survey: surveyValues(values), values }, { kind, path: field }, known);
  return verdict.isOpen ? { open: verdict.says, candidates: verdict.candidates } : { sql: verdict.sql('c') };
}
const dated = (...values: string[]) => judged('transactions', 'transaction_date', values);
const amounts = (...values: string[]) => judged('transactions', 'amount', values);
const open = (words: string) => ({ open: expect.stringContaining(words), candidates: expect.anything() });

describe('25.2.12 the names of columns', () => {
  it('are the same words in whatever dress', () => {
    for (const header of ['ACCT_NO', 'AccountNo', 'account id', 'Acct-Nbr', 'ACCOUNTID', 'AccountNUM']) {
      expect(keyNamed(header), header).toBe('account');
    }
    expect(wordsOf('BillingAddressLine1')).toEqual(['billing', 'address', 'line', '1']);
    expect(wordsOf('MPANCore')).toEqual(['mpan', 'core']);
    expect(wordsOf('Größe')).toEqual(['große'.normalize('NFKD').replaceAll(/\p{M}/gu, '')]);
  });

  it.each([
    ['Surname', 'customers', 'family_name'],
    ['D.O.B.', 'customers', 'date_of_birth'],
    ['TXNDATE', 'transactions', 'transaction_date'],
    ['POSTINGDATE', 'transactions', 'transaction_date'],
    ['FNAME', 'customers', 'given_name'],
    ['E-Mail', 'customers', 'email'],
    ['READ_DTM', 'readings', 'reading_date'],
    ['Inv No.', 'statements', 'statement_id'],
    ['Move-in date', 'supply-points', 'customer_at_supply_address_from_date'],
    ['constructor', 'customers', undefined],
    ['__proto__', 'customers', undefined],
  ])('%s, among %s, is %s', (header, kind, field) => {
    expect(fieldsNamed(header).find((named) => named.field.kind === kind)?.field.path).toBe(field);
  });

  it('of meter points, meters and customers are keys', () => {
    expect(['MPAN', 'mprn', 'Meter Point Ref', 'EAN', 'NMI'].map(keyNamed)).toEqual(Array(5).fill('meterPoint'));
    expect(['Serial No', 'MSN', 'METER_SERIAL_NUMBER'].map(keyNamed)).toEqual(Array(3).fill('meter'));
    expect(keyNamed('CUST_NO')).toBe('customer');
  });
});

describe('25.2.12 dates', () => {
  it('are read in the one format that all of them have', () => {
    expect(dated('2026-11-01', '2026-11-30')).toEqual({ sql: 'c' });
    expect(dated('01-NOV-26', '28-Feb-26')).toEqual({ sql: "to_date(c, 'DD-MON-RR')" });
    expect(dated('03/04/2026', '25/04/2026')).toEqual({ sql: "to_date(c, 'DD/MM/YYYY')" });
    expect(dated('03/04/2026', '04/25/2026')).toEqual({ sql: "to_date(c, 'MM/DD/YYYY')" });
    expect(dated('01.11.26', '30.11.26')).toEqual({ sql: "to_date(c, 'DD.MM.RR')" });
    expect(dated('20261101')).toEqual({ sql: "to_date(c, 'YYYYMMDD')" });
  });

  it('with a digit for the century are read so, and zeros are no day', () => {
    expect(dated('1231231', '0991130', '1240229')).toEqual({ sql: "to_date(c, 'CYYMMDD')" });
    expect(dated('1231231', '0000000', '9999999')).toEqual({
      sql: "to_date(null_if(c, '0000000', '9999999'), 'CYYMMDD')",
    });
    expect(dated('1231331', '0991130')).toEqual(open('only 1 of 2 values'));
  });

  it('that may be read in two ways are open, with both', () => {
    expect(dated('03/04/2026', '05/06/2026')).toEqual({
      open: 'its dates may be DD/MM/YYYY or MM/DD/YYYY',
      candidates: ["to_date(…, 'DD/MM/YYYY')", "to_date(…, 'MM/DD/YYYY')"],
    });
    expect(dated('13/04/2026', '04/13/2026')).toEqual(open('only 1 of 2 values'));
  });

  it('that are none are open', () => {
    expect(dated('2026-02-30', 'soon')).toEqual(open('only 0 of 2 values'));
    expect(dated()).toEqual(open('no values'));
  });

  it('leave out their time of day, unless it is in UTC', () => {
    expect(dated('2026-11-01 23:30:00.1234567')).toEqual({ sql: "to_date(c, 'YYYY-MM-DD HH24:MI:SS.FF')" });
    expect(dated('2026-11-01T23:30:00Z')).toEqual(open('whose day elsewhere may be another'));
  });

  it('without a century are open where somebody was born', () => {
    expect(judged('customers', 'date_of_birth', ['31-MAR-48'])).toEqual(open('do not say the century'));
  });

  it('at the end of time are open ends', () => {
    expect(judged('agreements', 'effective_to', ['9999-12-31', '2026-01-31'])).toEqual({
      sql: "null_if(c, '9999-12-31')",
    });
    expect(judged('agreements', 'effective_to', ['31-DEC-9999', '31-JAN-2026'])).toEqual({
      sql: "to_date(null_if(c, '31-DEC-9999'), 'DD-MON-YYYY')",
    });
  });
});

describe('25.2.12 times', () => {
  const times = (values: string[], timeZone?: string) =>
    judged('notes', 'created_at', values, { timeZone, country: undefined });

  it('need a zone, which nothing but the owner knows', () => {
    expect(times(['2026-11-01 10:00:00'])).toEqual(open('give --time-zone'));
    expect(times(['2026-11-01 10:00:00.123'], 'Europe/London')).toEqual({
      sql: "to_datetime(c, 'YYYY-MM-DD HH24:MI:SS.FF', 'Europe/London', 'cut')",
    });
    expect(times(['2026-11-01T10:00:00Z'])).toEqual({ sql: 'c' });
  });
});

describe('25.2.12 amounts', () => {
  it('are read as they are written', () => {
    expect(amounts('12.30', '-4')).toEqual({ sql: 'c' });
    expect(amounts('48.20-', '1,234.50', '£3.00', '(2.00)', '\u22121.00')).toEqual({ sql: 'to_money(c)' });
    expect(amounts('1.234,56', '48,20')).toEqual({ sql: "to_money(c, 'comma')" });
    expect(amounts('1,234', '56.10')).toEqual({ sql: "to_money(c, 'point')" });
    expect(judged('readings', 'reading_value', ['1,234.5', '56.1'])).toEqual({ sql: 'to_decimal(c)' });
    expect(judged('readings', 'reading_value', ['12,5'])).toEqual({ sql: "to_decimal(c, 'comma')" });
  });

  it('in pence are read so where the header says it, and asked about where zeros fill them', () => {
    const values = ['000031198', '000002884-', '000000000'];
    const judgedAs = (name: string) =>
      judgeColumn({ name, values, survey: surveyValues(values) }, { kind: 'transactions', path: 'amount' }, KNOWN);
    const verdict = judgedAs('AMT_PENCE');
    expect(!verdict.isOpen && verdict.sql('c')).toBe("to_money(c, 'minor')");
    expect(judgedAs('AMT')).toMatchObject({ isOpen: true, candidates: ["to_money(…, 'minor')", 'to_money(…)'] });
    expect(fieldsNamed('AMT_PENCE')).toEqual(fieldsNamed('AMT'));
  });

  it('that may be read in two ways are open', () => {
    expect(amounts('1,234', '5,678')).toEqual(open('before decimals or between thousands'));
    expect(amounts('48.20 CR', '1.00 DR')).toEqual(open('do not say which ones are negative'));
    expect(amounts('1,50', '1.50')).toEqual(open('some with a decimal comma and some with a point'));
  });
});

describe('25.2.12 balances', () => {
  it('are open: that a debt is negative is nowhere said', () => {
    expect(judged('accounts', 'transfer_balance', ['12.30', '-4'])).toEqual({
      open: '2 of 2 values are numbers: a debt has to be negative, which only their owner knows',
      candidates: ['…', 'negate_money(…)'],
    });
  });
});

describe('25.2.12 other values', () => {
  it('have to fit the name', () => {
    expect(judged('customers', 'email', ['a@b.example ', ' c@d.example'])).toEqual({ sql: 'trim(c)' });
    expect(judged('customers', 'email', ['Leeds', 'York'])).toEqual(open('only 0 of 2 values'));
    expect(judged('customers', 'family_name', ['a@b.example', 'c@d.example'])).toEqual(open('e-mail addresses'));
    expect(judged('accounts', 'account_type', ['D', 'B'])).toEqual(open('with CASE'));
    expect(judged('transactions', 'type', ['INV', 'PMT'])).toEqual(open('CHARGE, CREDIT, PAYMENT'));
    expect(judged('readings', 'reading_type', ['A', 'E'])).toEqual(open('are codes'));
    expect(judged('tax-items', 'rate', ['5', '20'])).toEqual(open('per cent'));
  });

  it('of meter points are known by their check digit', () => {
    const right = {
      MPAN: ['1200023305967', '1200023305968'],
      MPRN: ['2967656306', '2967656307'],
      'EAN-18': ['541448820000000008', '541448820000000000'],
      NMI: ['20019857328', '20019857327'],
      'NMI with letters': ['QAAAVZZZZZ3', 'QAAAVZZZZZ4'],
      MaLo: ['51238696781', '51238696780'],
      CUPS: ['ES1234123456789012JY1F', 'ES1234123456789012JX1F'],
      POD: ['IT001E12345678', 'IT001X12345678'],
      Zählpunkt: ['DE0001069999900000000000012345678', 'DE000106999990000000000001234567'],
      ICP: ['0000012345TR6F9', '0000012345T06F9'],
    };
    for (const [name, [one = '', other = '']] of Object.entries(right)) {
      expect([isMeterPoint(one), isMeterPoint(other)], name).toEqual([true, false]);
    }
    const identifiers = (...values: string[]) => judged('supply-points', 'meter_points.identifier', values);
    expect(identifiers('1200023305967.0')).toEqual({ sql: "replace(c, '.0', '')" });
    expect(identifiers('1200023305968')).toEqual({ sql: 'c' });
    expect(identifiers('1200023305967', '1200023305968')).toEqual(open('1 of 2 values have a right check digit'));
    expect(identifiers('1.20002E+12', '1200023305967')).toEqual(open('a spreadsheet has cut 1'));
  });

  it('of phones without what stands before them need a country', () => {
    expect(judged('customers', 'mobile', ['7700900456.0', '7700900457.0'])).toEqual(open('give --country'));
    expect(judged('customers', 'mobile', ['7700900456.0'], { timeZone: undefined, country: 'GB' })).toEqual({
      sql: "to_phone(replace(c, '.0', ''), 'GB')",
    });
    expect(judged('customers', 'landline', ['07700 900456'])).toEqual(open('mobile numbers'));
  });

  it('that stand for nothing say nothing', () => {
    expect(judged('customers', 'family_name', ['nan', 'Baxter', 'N/A'])).toEqual({ sql: "null_if(c, 'nan', 'N/A')" });
    expect(judged('customers', 'family_name', ['NULL'])).toEqual(open('no value says anything'));
  });
});

/** What the columns of the three exports are; those that are left out have no field, or only their owner can say. */
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  'crm_customers_2026 AccountID': ['accounts.external_account_number', 'customers.external_account_number'],
  'crm_customers_2026 BillName': ['accounts.billing_name'],
  'crm_customers_2026 Title': ['customers.title'],
  'crm_customers_2026 FirstName': ['customers.given_name'],
  'crm_customers_2026 LastName': ['customers.family_name'],
  'crm_customers_2026 Email': ['customers.email'],
  'crm_customers_2026 Phone': ['customers.landline'],
  'crm_customers_2026 Mobile': ['customers.mobile'],
  'crm_customers_2026 DOB': ['customers.date_of_birth'],
  'crm_customers_2026 BillingStreet': ['accounts.billing_address1'],
  'crm_customers_2026 BillingCity': ['accounts.billing_address3'],
  'crm_customers_2026 BillingPostcode': ['accounts.billing_postcode'],
  'crm_customers_2026 AcctType': ['accounts.account_type'],
  'balances BALANCE': ['accounts.transfer_balance'],
  'bill_lines ACCT_NO': [
    ...['line_items.external_account_number', 'tax_items.external_account_number'],
    'transactions.external_account_number',
  ],
  'bill_lines TXN_ID': ['line_items.transaction_id', 'tax_items.transaction_id', 'transactions.transaction_id'],
  'bill_lines TXN_DATE': ['transactions.transaction_date'],
  'bill_lines TXN_TYPE': ['transactions.type'],
  'bill_lines PROD_CODE': ['transactions.product_code'],
  'bill_lines GROSS_AMT': ['transactions.amount'],
  'bill_lines LINE_DESC': ['line_items.rate_band'],
  'bill_lines FROM_DT': ['line_items.start_date'],
  'bill_lines TO_DT': ['line_items.end_date'],
  'bill_lines UNITS': ['line_items.number_of_units'],
  'bill_lines UNIT_PRICE': ['line_items.price_per_unit'],
  'bill_lines LINE_NET': ['line_items.net_amount'],
  'bill_lines VAT_AMT': ['tax_items.amount'],
  'bill_lines VAT_RATE': ['tax_items.rate'],
  'payments ACCT_NO': ['transactions.external_account_number'],
  'payments PAYMENT_ID': ['transactions.transaction_id'],
  'payments PAY_DATE': ['transactions.transaction_date'],
  'payments AMOUNT': ['transactions.amount'],
  'payments METHOD': ['transactions.payment_type'],
  'payments BANK_REF': ['transactions.reference'],
  'invoices INV_NO': ['statements.statement_id'],
  'invoices ACCT_NO': ['statements.external_account_number'],
  'invoices PERIOD_FROM': ['statements.bill_period_from_date'],
  'invoices PERIOD_TO': ['statements.bill_period_to_date'],
  'invoices ISSUE_DATE': ['statements.issued_date'],
  'invoices TOTAL': ['statements.gross_amount'],
  'invoices PDF_PATH': ['statements.statement_path'],
  'meter_points mpxn': ['agreements.meter_point_identifier', 'supply_points.meter_points.identifier'],
  'meter_points fuel': ['supply_points.meter_points.supply_type'],
  'meter_points cust_acc': ['agreements.external_account_number', 'supply_points.external_account_number'],
  'meter_points address1': ['supply_points.supply_address1'],
  'meter_points town': ['supply_points.supply_address3'],
  'meter_points post_code': ['supply_points.supply_postcode'],
  'meter_points move_in': ['supply_points.customer_at_supply_address_from_date'],
  'meter_points supply_start': ['supply_points.meter_points.supply_start_date'],
  'meter_points serial': ['supply_points.meter_points.meters.meter_serial_number'],
  'meter_points installed': ['supply_points.meter_points.meters.installed_on'],
  'meter_points tariff': ['agreements.tariff_code'],
  'meter_points tariff_from': ['agreements.effective_from'],
  'meter_points tariff_to': ['agreements.effective_to'],
  'meter_reads MPXN': ['readings.meter_point_identifier', 'registers.meter_point_identifier'],
  'meter_reads SERIAL': ['readings.meter_serial_number', 'registers.meter_serial_number'],
  'meter_reads REG': ['readings.register_id', 'registers.register_id'],
  'meter_reads DIGITS': ['registers.number_of_digits'],
  'meter_reads READ_DTM': ['readings.reading_date'],
  'meter_reads READING': ['readings.reading_value'],
  'meter_reads READ_TYPE': ['readings.reading_type'],
};

const filesOfExtract = async () => (await readdir(EXTRACT)).map((name) => path.join(EXTRACT, name));
const WINDOWS = ['--encoding', 'CRM_CUSTOMERS_2026.csv=windows-1252'];

/** The draft for some files, and its decisions: `table column` with the fields of its views. */
async function mapped(files: readonly string[], words: readonly string[] = []) {
  const folder = await temporaryFolder();
  const ended = await causeway(['map', ...files, '-o', 'mapping.sql', '--json', ...words], { directory: folder });
  expect(ended.code, ended.stderr).toBe(0);
  const decided: Record<string, string[]> = {};
  for (const { table, column, view, path: field } of ended.json().decided) {
    decided[`${table} ${column}`] = [...(decided[`${table} ${column}`] ?? []), `${view}.${field}`].sort();
  }
  return { folder, decided, sql: await readFile(path.join(folder, 'mapping.sql'), 'utf8') };
}

describe('25.2.12 the exports of three systems', () => {
  it('are decided in at least four of five columns, and nowhere wrongly', async () => {
    const { decided } = await mapped(await filesOfExtract(), WINDOWS);
    const wrong = Object.entries(decided).filter(([column, fields]) => RIGHT[column]?.join() !== fields.join());
    expect(wrong.filter(([column]) => column !== 'balances ACCT_NO')).toEqual([]);
    const right = Object.keys(RIGHT).filter((column) => decided[column] !== undefined);
    expect(right.length / Object.keys(RIGHT).length).toBeGreaterThanOrEqual(0.8);
  });

  it('give a draft that holds no value of theirs', async () => {
    const { sql } = await mapped(await filesOfExtract(), WINDOWS);
    const texts = await Promise.all((await filesOfExtract()).map(async (file) => textOf(file, await readFile(file))));
    const cells = texts
      .flatMap((text) => text.replace('sep=,\r\n', '').split(/\r?\n/).slice(1))
      .flatMap((line) => line.split(/[;,\t|":{}]+/));
    const words = new Set(sql.split(/[^\p{L}\p{N}@.-]+/u));
    const known = new Set(['9999-12-31', 'NULL', 'N/A', ...sql.matchAll(/"([^"]+)"/g)].map(String));
    const found = [...new Set(cells.map((cell) => cell.trim()))].filter(
      (cell) => cell.length > 4 && !known.has(cell) && words.has(cell) && !/^[a-z_]+\d?$/.test(cell),
    );
    expect(found).toEqual(['ELECTRICITY'].filter((word) => words.has(word)));
  });

  it('are named by the number that the customers have, whatever zeros another system has lost', async () => {
    const { sql } = await mapped(await filesOfExtract(), WINDOWS);
    expect(sql).toContain(`pad(replace(t."cust_acc", '.0', ''), 8) AS "external_account_number"`);
    expect(sql).toContain('12 of 12 keys are in crm_customers_2026, with zeros up to 8 characters');
    expect(sql).toContain('owner."account" AS "external_account_number"  -- of meter_points, by MPXN');
  });
});

/** What the columns of the German exports are; those that are left out have no field, or only their owner can say. */
const RIGHT_IN_GERMAN: Readonly<Record<string, string>> = {
  'kunden_2026 KDNR': 'accounts.external_account_number customers.external_account_number',
  'kunden_2026 ANREDE': 'customers.title',
  'kunden_2026 VNAME': 'customers.given_name',
  'kunden_2026 NNAME': 'customers.family_name',
  'kunden_2026 STRASSE': 'accounts.billing_address1',
  'kunden_2026 HAUSNR': 'accounts.billing_address1',
  'kunden_2026 PLZ': 'accounts.billing_postcode',
  'kunden_2026 ORT': 'accounts.billing_address3',
  'kunden_2026 KANAL_1': 'customers.email',
  'kunden_2026 TEL': 'customers.landline',
  'kunden_2026 HANDY': 'customers.mobile',
  'kunden_2026 GEBDAT': 'customers.date_of_birth',
  'buchungen BELNR': 'transactions.transaction_id',
  'buchungen K_REF': 'transactions.external_account_number',
  'buchungen BUDAT': 'transactions.transaction_date',
  'buchungen BETRAG_EUR': 'transactions.amount',
  'rechnungen RECHNR': 'statements.statement_id',
  'rechnungen KDNR': 'statements.external_account_number',
  'rechnungen PERIODE_VON': 'statements.bill_period_from_date',
  'rechnungen PERIODE_BIS': 'statements.bill_period_to_date',
  'rechnungen RECHDAT': 'statements.issued_date',
  'rechnungen BRUTTO_EUR': 'statements.gross_amount',
  'rechnungen DATEI': 'statements.statement_path',
  'zaehler LOKATION': 'agreements.meter_point_identifier supply_points.meter_points.identifier',
  'zaehler KUNDE': 'agreements.external_account_number supply_points.external_account_number',
  'zaehler ZAEHLERNR': 'supply_points.meter_points.meters.meter_serial_number',
  'zaehler EINBAUDATUM': 'supply_points.meter_points.meters.installed_on',
  'zaehler L_STR': 'supply_points.supply_address1',
  'zaehler L_HNR': 'supply_points.supply_address1',
  'zaehler L_PLZ': 'supply_points.supply_postcode',
  'zaehler L_ORT': 'supply_points.supply_address3',
  'zaehler EINZUG': 'supply_points.customer_at_supply_address_from_date',
  'zaehler LIEFERBEGINN': 'supply_points.meter_points.supply_start_date',
  'zaehler TARIF': 'agreements.tariff_code',
  'zaehler TARIF_AB': 'agreements.effective_from',
  'zaehler TARIF_BIS': 'agreements.effective_to',
  'ablesungen LOK': 'readings.meter_point_identifier registers.meter_point_identifier',
  'ablesungen GERAET': 'readings.meter_serial_number registers.meter_serial_number',
  'ablesungen ZAEHLWERK': 'readings.register_id registers.register_id',
  'ablesungen ABLESDAT': 'readings.reading_date',
  'ablesungen ZWSTAND': 'readings.reading_value',
};

/** The German exports in a folder, their headers perhaps replaced by others. */
async function germanFiles(headerOf = (header: string, _file: string) => header): Promise<string[]> {
  const folder = await temporaryFolder();
  return Promise.all(
    Object.entries(germanExports()).map(async ([name, bytes]) => {
      const [header = '', ...rows] = bytes.toString('latin1').split('\r\n');
      await writeFile(path.join(folder, name), Buffer.from([headerOf(header, name), ...rows].join('\r\n'), 'latin1'));
      return path.join(folder, name);
    }),
  );
}
const GERMAN = ['--encoding', 'windows-1252'];
/** `col_1;col_2`, which says nothing. */
const withoutNames = (header: string) =>
  header
    .replaceAll(/[^;]+/g, 'x')
    .split(';')
    .map((_, at) => `col_${at + 1}`)
    .join(';');

describe('25.2.12 the exports of three German systems', () => {
  it('are decided in at least three of five columns, and nowhere wrongly', async () => {
    const { decided } = await mapped(await germanFiles(), GERMAN);
    const wrong = Object.entries(decided).filter(([column, fields]) => RIGHT_IN_GERMAN[column] !== fields.join(' '));
    expect(wrong).toEqual([]);
    const columns = Object.values(germanExports()).flatMap((bytes) =>
      bytes.toString('latin1').split('\r\n')[0]?.split(';'),
    );
    expect(Object.keys(decided).length / columns.length).toBeGreaterThanOrEqual(0.6);
  });

  it('have a street and its house in one line, and a decimal comma in money', async () => {
    const { sql } = await mapped(await germanFiles(), GERMAN);
    expect(sql).toContain(`trim(concat_ws(' ', t."STRASSE", t."HAUSNR")) AS "billing_address1"`);
    expect(sql).toContain(`to_money(t."BETRAG_EUR", 'comma') AS "amount"`);
  });

  it('have the registers that readings name, each once, and need the country for their postcodes', async () => {
    const { sql } = await mapped(await germanFiles(), GERMAN);
    expect(sql).toContain('CREATE TEMP VIEW "registers" AS\nSELECT DISTINCT\n');
    expect(sql).toContain('48 of 48 values are postcodes, none of them British: give map check the --country');
    const { sql: known } = await mapped(await germanFiles(), [...GERMAN, '--country', 'DE']);
    expect(known).not.toContain('none of them British');
  });

  it('say how an open column would be read, and what it may be', async () => {
    const { sql } = await mapped(await germanFiles(), GERMAN);
    expect(sql).toContain(
      `-- ? , to_date(t."FAEDN", 'DD.MM.YYYY') AS …  -- its name says nothing; 144 of 144 values are dates`,
    );
    expect(sql).toContain(
      `-- ? , CASE t."SPARTE" WHEN '?' THEN 'ELECTRICITY' WHEN '?' THEN 'GAS' END AS "meter_points.supply_type"`,
    );
    expect(sql).toContain('its values are numbers of bank accounts: they belong to your payment vendor');
  });

  it('whose headers say nothing have the accounts of each file by their values, and nothing that may be wrong', async () => {
    const { sql, decided } = await mapped(await germanFiles(withoutNames), GERMAN);
    expect(decided).toEqual({
      'kunden_2026 col_1': ['accounts.external_account_number', 'customers.external_account_number'],
      'kunden_2026 col_10': ['customers.email'],
      'kunden_2026 col_12': ['customers.mobile'],
    });
    expect(sql).toContain('by its values, which are different and found in buchungen, rechnungen, zaehler');
    const key = `-- ? , pad(t."col_2", 10) AS "external_account_number"  -- by its values it names the account`;
    expect(sql.split(key)).toHaveLength(4);
    expect(sql).toContain('its values are meter points with a right check digit');
  });
});

describe('25.2.12 columns whose values say what they are', () => {
  const FILES = {
    people: 'AccountID,Surname,col_3\n',
    other: 'ref,amount,day\n',
  };
  /** Two files of eight accounts: `write` gives the cells behind the number of one. */
  async function drafted(write: { people: (at: number) => string; other: (at: number) => string }, headers = FILES) {
    const folder = await temporaryFolder();
    for (const name of ['people', 'other'] as const) {
      const rows = Array.from({ length: 8 }, (_, at) => `${write[name](at)}\n`);
      await writeFile(path.join(folder, `${name}.csv`), [headers[name], ...rows].join(''));
    }
    return mapped([path.join(folder, 'people.csv'), path.join(folder, 'other.csv')]);
  }
  const other = (at: number) => `AC-${100 + at},${at}.50,2026-01-0${at + 1}`;

  it('are decided, unless their names say something else', async () => {
    const people = (at: number) => `AC-${100 + at},Baxter,b${at}@mail.example`;
    expect((await drafted({ people, other })).decided['people col_3']).toEqual(['customers.email']);
    const named = await drafted({ people, other }, { ...FILES, people: 'AccountID,Surname,DOB\n' });
    expect(named.decided['people DOB']).toBeUndefined();
    expect(named.sql).toContain(
      '-- ? , t."DOB" AS "email"  -- by its name customers.date_of_birth, but only 0 of 8 values',
    );
  });

  it('are open where two columns are the same, or too few values say so', async () => {
    const two = await drafted(
      { people: (at) => `AC-${100 + at},Baxter,b${at}@mail.example,c${at}@mail.example`, other },
      { ...FILES, people: 'AccountID,Surname,col_3,col_4\n' },
    );
    expect([two.decided['people col_3'], two.decided['people col_4']]).toEqual([undefined, undefined]);
    const few = await drafted({ people: (at) => `AC-${100 + at},Baxter,${at === 0 ? 'b@mail.example' : ''}`, other });
    expect(few.decided['people col_3']).toBeUndefined();
    expect(few.sql).toContain('its values are e-mail addresses');
  });

  it('that are postcodes of the United Kingdom belong to the people of the file', async () => {
    const { decided } = await drafted({ people: (at) => `AC-${100 + at},Baxter,LS${at + 1} 4AP`, other });
    expect(decided['people col_3']).toBeUndefined();
    const withBill = { ...FILES, people: 'AccountID,Billing Name,col_3\n' };
    const billed = await drafted({ people: (at) => `AC-${100 + at},Baxter,LS${at + 1} 4AP`, other }, withBill);
    expect(billed.decided['people col_3']).toEqual(['accounts.billing_postcode']);
  });

  it('that are numbers of accounts name the rows of their file; small numbers and amounts do not', async () => {
    const people = (at: number) => `AC-${100 + at},Baxter,x`;
    const headers = { ...FILES, other: 'ref,Note Text,Created At\n' };
    const notes = await drafted(
      { people, other: (at) => `AC-${100 + at},called,2026-01-0${at + 1}T10:00:00Z` },
      headers,
    );
    expect(notes.decided['other ref']).toEqual(['notes.external_account_number']);
    const small = await drafted(
      { people: (at) => `${at + 1},Baxter,x`, other: (at) => `${at + 1},called,2026-01-0${at + 1}T10:00:00Z` },
      headers,
    );
    const both = await drafted(
      { people, other: (at) => `AC-${100 + at},AC-${107 - at},called,2026-01-0${at + 1}T10:00:00Z` },
      { ...FILES, other: 'ref,from_ref,Note Text,Created At\n' },
    );
    expect([both.decided['other ref'], both.decided['other from_ref']]).toEqual([undefined, undefined]);
    expect(small.decided['other ref']).toBeUndefined();
    expect(small.sql).toContain('no column names the account');
  });
});

describe('25.2.12 accounts whose numbers differ in zeros in front', () => {
  const rows = (write: (number: number) => string) =>
    Array.from({ length: 40 }, (_, at) => `${write(40_000 + 7 * at)}\n`);
  const long = (number: number) => String(number).padStart(8, '0');

  it.each([
    ['pad(t."Account No", 8)', long, String, 'with zeros up to 8 characters'],
    ['unpad(t."Account No")', String, long, 'without leading zeros'],
    ['pad(unpad(t."Account No"), 8)', long, (number: number) => `0000${long(number)}`, 'with zeros for 8 characters'],
  ])('are found by %s', async (sql, home, other, says) => {
    const folder = await temporaryFolder();
    const files = {
      'people.csv': [
        'Account No,Surname,Billing Address 1\n',
        ...rows((at) => `${home(at)},Baxter,1 Quay Walk`),
        '*** THE END,x,y\n',
      ],
      'payments.csv': [
        'Account No,Payment Id,Payment Date,Amount\n',
        ...rows((at) => `${other(at)},P${at},2026-01-05,7.50`),
      ],
    };
    for (const [name, lines] of Object.entries(files)) await writeFile(path.join(folder, name), lines.join(''));
    const draft = await mapped(Object.keys(files).map((name) => path.join(folder, name)));
    const line = `${sql} AS "external_account_number"  -- by its name; 40 of 40 keys are in people, ${says}`;
    expect(draft.sql.split('\n').filter((one) => one.includes(line))[0]).toMatch(/^ {4}/);
  });
});

describe('25.2.12 keys whose zeros in front differ on both sides', () => {
  const zeros = (number: number, most: number) => `${'0'.repeat(1 + (number % most))}${number}`;
  const numbers = Array.from({ length: 40 }, (_, at) => 40_000 + 7 * at);
  const people = numbers.map((at) => `${zeros(at, 3)},Baxter,1 Quay Walk,${zeros(at + 1, 3)}\n`);
  const home = `Account No,Surname,Billing Address 1,Meter Serial No\n${people.join('')}`;

  it('are told by map and by map check, with what makes them equal', async () => {
    const folder = await temporaryFolder();
    const payments = numbers.map((at) => `${zeros(at, 4)},P${at},2026-01-05,7.50\n`);
    await writeFile(path.join(folder, 'people.csv'), home);
    await writeFile(
      path.join(folder, 'payments.csv'),
      `Account No,Payment Id,Payment Date,Amount\n${payments.join('')}`,
    );
    const { sql } = await mapped(['people.csv', 'payments.csv'].map((name) => path.join(folder, name)));
    expect(sql).toMatch(
      /-- \? transactions of payments: only \d+ of 40 keys are in people.*, and 40 but for zeros in front, which differ on both sides: unpad\(…\) both: which/,
    );
    const views = sql.replace(/-- \? transactions[\s\S]*/, '') + ACCOUNTS_OF_PAYMENTS;
    await writeFile(path.join(folder, 'mapping.sql'), views);
    const words = ['map', 'check', 'mapping.sql', 'people.csv', 'payments.csv', '--supplier', 'HARBOUR-VALE'];
    const { stdout } = await causeway(words, { directory: folder });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('unpad(…) in both views makes them equal.');
  });

  it('are told of meters too, by which rows without an account would be joined', async () => {
    const folder = await temporaryFolder();
    const readings = numbers.map((at) => `${zeros(at + 1, 4)},2026-01-05,7.5\n`);
    await writeFile(path.join(folder, 'people.csv'), home);
    await writeFile(path.join(folder, 'readings.csv'), `Meter Serial No,Reading Date,Reading\n${readings.join('')}`);
    const { sql } = await mapped(['people.csv', 'readings.csv'].map((name) => path.join(folder, name)));
    expect(sql).toMatch(
      /-- \? readings of readings: no column names the account, and of Meter Serial No, \d+ of 40 keys are in people.*, and 40 but for zeros in front/,
    );
  });
});

const ACCOUNTS_OF_PAYMENTS = `CREATE TEMP VIEW transactions AS SELECT "Account No" AS external_account_number,
  "Payment Id" AS transaction_id, "Payment Date" AS transaction_date, 'PAYMENT' AS type, Amount AS amount FROM main.payments;`;

describe('25.2.12 rows that are damaged', () => {
  it('are counted at once, with what is wrong with the first', async () => {
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'people.csv'), 'Account No,Surname\nA1,Baxter\nA2,Ash,x\nA3\n');
    const { code, stderr } = await causeway(['map', 'people.csv'], { directory });
    const says = '2 damaged rows not looked at: lines 3, 4. The first: Has 3 cells, and the header has 2';
    expect([code, stderr]).toEqual([0, expect.stringContaining(`people.csv: 3 rows. ${says}`)]);
  });
});

describe('25.2.12 files of a French system', () => {
  const rows = (row: (contract: string, at: number) => string) =>
    Array.from({ length: 40 }, (_, at) => `${row(String(600_100 + 7 * at), at)}\n`).join('');
  const day = (at: number) => `${13 + (at % 10)}/02/2026`;
  const FRENCH = {
    'ABONNES.csv': `REF_ABO;NOM;PRENOM;CP;VILLE\n${rows((contract) => `${contract};Durand;Luc;75012;Paris`)}`,
    'ECR.csv': `REF_ABO;NUM_ECR;DATE_ECR;LIBELLE;MONTANT;SENS\n${rows((contract, at) => `${contract};E${at};${day(at)};Facture;48,00;D`)}`,
    'FACT.csv': `REF_ABO;NUM_FACT;DATE_FACT;PERIODE_DEBUT;PERIODE_FIN;DATE_ECHEANCE;MT_HT;MT_TVA;MT_TTC;STATUT;DEVISE\n${rows((contract, at) => `${contract};F${at};${day(at)};15/01/2026;31/01/2026;28/02/2026;40,00;8,00;48,00;EMISE;EUR`)}`,
    'RELEVES.csv': `REF_ABO;PDL;NUM_COMPTEUR;DATE_RELEVE;INDEX\n${rows((contract, at) => `${contract};${14_500_000_000_000 + at};C${at};${day(at)};${1000 + at}`)}`,
  };

  it('get a view each: of postings, of invoices with their taxes and due dates, of readings', async () => {
    const folder = await temporaryFolder();
    for (const [name, text] of Object.entries(FRENCH)) await writeFile(path.join(folder, name), text);
    const { sql, decided } = await mapped(Object.keys(FRENCH).map((name) => path.join(folder, name)));
    for (const view of ['accounts', 'transactions', 'statements', 'readings']) {
      expect(sql).toContain(`CREATE TEMP VIEW "${view}" AS`);
    }
    expect(decided).toMatchObject({
      'ecr NUM_ECR': ['transactions.transaction_id'],
      'ecr DATE_ECR': ['transactions.transaction_date'],
      'fact NUM_FACT': ['statements.statement_id'],
      'fact DATE_FACT': ['statements.issued_date'],
      'fact DATE_ECHEANCE': ['statements.due_date'],
      'fact MT_HT': ['statements.net_amount'],
      'fact MT_TVA': ['statements.tax_amount'],
      'fact MT_TTC': ['statements.gross_amount'],
      'fact DEVISE': ['statements.currency'],
      'releves INDEX': ['readings.reading_value'],
    });
    expect(sql).toContain(`CASE t."STATUT" WHEN '?' THEN 'ISSUED'`);
    expect(sql).toContain('-- Rows on or before the last_billed_to_date of their account belong in a view');
  });

  it('get the views of closed history where the name of the file says so', async () => {
    const folder = await temporaryFolder();
    const files = {
      'ABONNES.csv': FRENCH['ABONNES.csv'],
      'HIST_ECR.csv': FRENCH['ECR.csv'],
      'HISTORIQUE_RELEVES.csv': FRENCH['RELEVES.csv'],
    };
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
    const { sql } = await mapped(Object.keys(files).map((name) => path.join(folder, name)));
    for (const view of ['historical_transactions', 'reading_history'])
      expect(sql).toContain(`CREATE TEMP VIEW "${view}" AS`);
    expect(sql).not.toMatch(/VIEW "(?:transactions|readings)"/);
  });
});

describe('25.2.12 the time of a reading', () => {
  it.each([
    ['Reading Date;Reading Time', '2026-01-05;2026-01-05T07:30:00Z', 'Reading Time'],
    ['Reading Date Time', '2026-01-05T07:30:00+01:00', 'Reading Date Time'],
  ])('is its moment, beside its day: %s', async (headers, values, column) => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'people.csv'), 'Account No;Surname\nA1;Baxter\nA2;Ash\n');
    const rows = ['A1', 'A2'].map((account) => `${account};1008234658484;${values};7.5\n`).join('');
    await writeFile(path.join(folder, 'readings.csv'), `Account No;MPAN;${headers};Reading\n${rows}`);
    const { decided } = await mapped(['people.csv', 'readings.csv'].map((name) => path.join(folder, name)));
    expect(decided[`readings ${column}`]).toContain('readings.reading_at');
    if (column === 'Reading Time') expect(decided['readings Reading Date']).toEqual(['readings.reading_date']);
  });
});

describe('25.2.12 a name beside a given name', () => {
  it.each([
    ['Nom', 'Dupont', 'customers.family_name'],
    ['NAME', 'Baum', 'customers.family_name'],
    ['Nom', 'Jean Dupont', undefined],
  ])('%s, of values such as %s, is %s', async (header, value, field) => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'people.csv'), `KDNR;Prénom;${header}\nK1;Jean;${value}\nK2;Anne;${value}\n`);
    const { decided } = await mapped([path.join(folder, 'people.csv')]);
    expect(decided[`people ${header}`]?.[0]).toBe(field);
  });
});

describe('25.2.12 headers in other languages', () => {
  it.each([
    ['NUMERO_CLIENT', 'customer'],
    ['N° contrat', undefined],
    ['Kundennummer', 'customer'],
    ['KLANTNUMMER', 'customer'],
    ['codice cliente', 'customer'],
    ['Zählernummer', 'meter'],
    ['NUMERO_CONTADOR', 'meter'],
    ['Vertragskonto', 'account'],
    ['KONTO', undefined],
    ['Compte', undefined],
    ['EXT_UI', 'meterPoint'],
    ['Point de livraison', 'meterPoint'],
  ])('%s names a %s', (header, key) => expect(keyNamed(header)).toBe(key));

  it.each([
    ['DATE_DE_NAISSANCE', 'customers', 'date_of_birth'],
    ['Fecha de nacimiento', 'customers', 'date_of_birth'],
    ['Geburtsdatum', 'customers', 'date_of_birth'],
    ['Prénom', 'customers', 'given_name'],
    ['Apellidos', 'customers', 'family_name'],
    ['COGNOME', 'customers', 'family_name'],
    ['Achternaam', 'customers', 'family_name'],
    ['Code postal', 'accounts', 'billing_postcode'],
    ['NAME_FIRST', 'customers', 'given_name'],
    ['SMTP_ADDR', 'customers', 'email'],
    ['Rechnungsnr.', 'statements', 'statement_id'],
    ['Importe', 'transactions', 'amount'],
    ['ZWSTAND', 'readings', 'reading_value'],
    ['Ablesedatum', 'readings', 'reading_date'],
    ['EINZDAT', 'supply-points', 'customer_at_supply_address_from_date'],
    ['Fälligkeit', 'transactions', undefined],
  ])('%s, among %s, is %s', (header, kind, field) => {
    expect(fieldsNamed(header).find((named) => named.field.kind === kind)?.field.path).toBe(field);
  });
});

describe('25.2.12 a file with a row a customer', () => {
  it('has each account once, and says where the rows of one differ', async () => {
    const folder = await temporaryFolder();
    const rows = ['AccountID,BillName,LastName', 'A1,Baxter,Baxter', 'A1,Baxter,Okafor', 'A2,Lee,Lee', 'A2,Li,Li'];
    await writeFile(path.join(folder, 'people.csv'), `${rows.join('\n')}\n`);
    const { sql } = await mapped([path.join(folder, 'people.csv')]);
    expect(sql).toContain('CREATE TEMP VIEW "accounts" AS\nSELECT DISTINCT\n');
    expect(sql).toContain('2 different numbers; 1 more row with other values: an account may have one');
  });
});

const textOf = (file: string, bytes: Buffer) =>
  new TextDecoder(file.includes('CRM') ? 'windows-1252' : 'utf-8').decode(
    file.endsWith('.gz') ? gunzipSync(bytes) : bytes,
  );

describe('25.2.12 the files of the sample', () => {
  it('are themselves', async () => {
    const folder = await temporaryFolder();
    await causeway(['sample', '--csv', 'sample', '--accounts', '60'], { directory: folder });
    const files = (await readdir(path.join(folder, 'sample'))).map((name) => path.join(folder, 'sample', name));
    const { sql } = await mapped(files);
    const lines = sql.split('\n').filter((line) => line.includes(' AS "'));
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.filter((line) => !/^ {2}[ ,] t\."([^"]+)" AS "\1" {2}-- /.test(line))).toEqual([]);
    expect(sql).not.toContain('-- ?');
    expect(sql).not.toContain('DISTINCT');
  });
});

describe('25.2.12 headers that would be SQL', () => {
  it.each([
    ['a line break', 'Email\n; DROP TABLE main."files"; --'],
    ['a comment', 'surname -- , (SELECT 1)'],
    ['quotes', `x"" , 'y'' ; ATTACH 'other' AS other; --`],
    ['a semicolon and an end of a comment', '*/ ; CREATE TABLE stolen (a); /*'],
    ['a line separator', 'a\u2028; DROP TABLE files; --'],
  ])('such as %s are names and comments alone', async (_what, header) => {
    const folder = await temporaryFolder();
    const quoted = `"${header.replaceAll('"', '""')}"`;
    const rows = ['AccountID', 'LastName', quoted].join(',');
    await writeFile(path.join(folder, 'files.csv'), `${rows}\nA-1,Baxter,x\nA-2,Okafor,y\n`);
    const { sql } = await mapped([path.join(folder, 'files.csv')]);
    using database = new DatabaseSync(':memory:');
    database.exec(`CREATE TABLE files ("AccountID", "LastName", "${header.replaceAll('"', '""')}", _line, _fault)`);
    const before = database.prepare('SELECT * FROM sqlite_schema').all();
    database.exec(sql);
    expect(database.prepare('SELECT * FROM sqlite_schema').all()).toEqual(before);
    expect(database.prepare('PRAGMA database_list').all()).toHaveLength(2);
    expect(database.prepare('SELECT name, type FROM sqlite_temp_schema').all()).toEqual([
      { name: 'accounts', type: 'view' },
      { name: 'customers', type: 'view' },
    ]);
  });
});

describe('25.2.12 questions', () => {
  it('are asked where two files would be one table, or two columns differ in case alone', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a-b.csv'), 'x\n1\n');
    await writeFile(path.join(folder, 'A_B.csv'), 'x\n1\n');
    await writeFile(path.join(folder, 'case.csv'), 'Email,EMAIL\na,b\n');
    const both = await causeway(['map', 'a-b.csv', 'A_B.csv'], { directory: folder });
    expect(both).toMatchObject(failure(2, 'would both be the table a_b. Rename one of them.'));
    const columns = await causeway(['map', 'case.csv'], { directory: folder });
    expect(columns).toMatchObject(failure(2, 'differ in case alone. Rename one of them.'));
    expect(await readdir(folder)).not.toContain('mapping.sql');
  });

  it('are asked before an edited draft is lost', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a.csv'), 'x\n1\n');
    await writeFile(path.join(folder, 'mapping.sql'), 'mine');
    expect(await causeway(['map', 'a.csv'], { directory: folder })).toMatchObject(failure(2, '--yes to replace it'));
    expect(await readFile(path.join(folder, 'mapping.sql'), 'utf8')).toBe('mine');
  });
});
