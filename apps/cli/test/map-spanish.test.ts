import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsOfCut } from '../src/map/cut-texts.ts';
import { fieldsNamed, keyNamed } from '../src/map/fields.ts';
import { judgeColumn } from '../src/map/judge-column.ts';
import { surveyValues } from '../src/map/survey-values.ts';
import { causeway, temporaryFolder } from './support/causeway.ts';

const KNOWN = { timeZone: undefined, country: undefined };

function judged(values: readonly string[], field = 'transaction_date') {
  const verdict = judgeColumn({ survey: surveyValues(values), values }, { kind: 'transactions', path: field }, KNOWN);
  return verdict.isOpen
    ? { open: verdict.says, candidates: verdict.candidates }
    : { sql: verdict.sql('c'), says: verdict.says };
}

/** The draft for these files, and what it decided: `file column` with its places. */
async function mapped(files: Readonly<Record<string, string>>) {
  const directory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(directory, name), text);
  const ended = await causeway(['map', ...Object.keys(files), '--json'], { directory });
  expect([ended.code, ended.stderr]).toEqual([0, expect.anything()]);
  const { decided } = JSON.parse(ended.stdout);
  const places: Record<string, string[]> = {};
  for (const { table, column, view, path: to } of decided) {
    const name = `${table} ${column}`;
    places[name] = [...(places[name] ?? []), `${view}.${to}`];
  }
  return { places, sql: await readFile(path.join(directory, 'mapping.sql'), 'utf8') };
}

const rows = (row: (index: number) => readonly string[]) =>
  Array.from({ length: 12 }, (_, index) => row(index + 1).join(';')).join('\n');

const EXPORTS = {
  'abonados.csv': `COD_CLI;NOM_RAZON;NIF;DOM_FISCAL;CP;POBLACION;PROV;EMAIL;F_ALTA;F_BAJA;SALDO\n${rows((one) => [
    `000000${one + 10}`,
    `ROCA VIDAL, ANA ${one}`,
    '00000000T',
    `C/ MAYOR, ${one}`,
    '42001',
    'SORIA',
    'SORIA',
    `ana${one}@correo.example`,
    '31/01/2012',
    '99/99/9999',
    '10,00',
  ])}\n`,
  'contratos.csv': `N_CTO;COD_CLI;TITULAR;CUPS;TARIFA;POT;DIR_SUM;CP;POBL;NUM_CONT;F_ALTA_CTO;F_BAJA_CTO\n${rows(
    (one) => [
      `C${one}`,
      String(one + 10),
      `Ana Roca Vidal ${one}`,
      `ES00219999999999${one + 10}XX`,
      '2.0A',
      '3,450',
      `C/ Mayor, ${one}`,
      '42001',
      'Soria',
      `MX${one}77`,
      '20120131',
      one % 2 === 0 ? '99999999' : '20131231',
    ],
  )}\n`,
  'lecturas.csv': `COD_ABO;N_SERIE;F_LECT;PER;LECT_ANT;LECT_ACT;CONSUMO\n${rows((one) => [
    one % 2 === 0 ? String((one >> 1) + 11) : `000000${(one >> 1) + 11}`,
    `MX${one}77`,
    `1303${one + 17}`,
    `P${(one % 3) + 1}`,
    '1.000',
    `1.${one + 100},5`,
    '100',
  ])}\n`,
  'facturas.csv': `N_FRA;COD_CLI;F_FRA;F_VTO;F_DESDE;F_HASTA;IMP_TOTAL\n${rows((one) => [
    `A-13/${one}`,
    String(one + 10),
    '31/01/2013',
    '28/02/2013',
    '15/01/2013',
    '31/01/2013',
    `${one},50`,
  ])}\n`,
  'lineas.csv': `N_FRA;COD_CLI;F_FRA;CPTO\n${rows((one) => [`A-14/${one >> 1}`, String((one >> 1) + 11), '31/01/2014', `P${one}`])}\n`,
  'observ.csv': `COD_CLI;F_OBS;OBSERV\n${rows((one) => [String(one + 10), '31/01/2013', `Llamar antes ${one}`])}\n`,
};

describe('25.2.12 Spanish exports', () => {
  it('are decided by their abbreviations, and no column wrongly', async () => {
    const { places } = await mapped(EXPORTS);
    expect(places).toMatchObject({
      'abonados COD_CLI': expect.arrayContaining(['accounts.external_account_number']),
      'abonados NOM_RAZON': ['accounts.billing_name'],
      'abonados DOM_FISCAL': ['accounts.billing_address1'],
      'abonados CP': ['accounts.billing_postcode'],
      'abonados POBLACION': ['accounts.billing_address3'],
      'abonados PROV': ['accounts.billing_address4'],
      'contratos COD_CLI': expect.arrayContaining(['supply_points.external_account_number']),
      'contratos CUPS': expect.arrayContaining(['supply_points.meter_points.identifier']),
      'contratos TARIFA': ['agreements.tariff_code'],
      'contratos DIR_SUM': ['supply_points.supply_address1'],
      'contratos CP': ['supply_points.supply_postcode'],
      'contratos POBL': ['supply_points.supply_address3'],
      'contratos NUM_CONT': ['supply_points.meter_points.meters.meter_serial_number'],
      'contratos F_ALTA_CTO': ['agreements.effective_from'],
      'contratos F_BAJA_CTO': ['agreements.effective_to'],
      'lecturas COD_ABO': expect.arrayContaining(['readings.external_account_number']),
      'lecturas N_SERIE': expect.arrayContaining(['readings.meter_serial_number']),
      'lecturas F_LECT': ['readings.reading_date'],
      'lecturas PER': expect.arrayContaining(['readings.register_id']),
      'lecturas LECT_ACT': ['readings.reading_value'],
      'facturas N_FRA': ['statements.statement_id'],
      'facturas F_FRA': ['statements.issued_date'],
      'facturas F_VTO': ['statements.due_date'],
      'facturas F_DESDE': ['statements.bill_period_from_date'],
      'facturas F_HASTA': ['statements.bill_period_to_date'],
      'facturas IMP_TOTAL': ['statements.gross_amount'],
      'observ COD_CLI': ['notes.external_account_number'],
      'observ OBSERV': ['notes.body'],
    });
    const open = [
      'abonados NIF',
      'abonados F_ALTA',
      'abonados F_BAJA',
      'abonados SALDO',
      'contratos POT',
      'lecturas LECT_ANT',
    ];
    expect(open.filter((column) => places[column] !== undefined)).toEqual([]);
    expect(places['contratos TITULAR']).toBeUndefined();
  });

  it('write numbers of accounts with and without zeros as the file of the accounts has them', async () => {
    const { sql } = await mapped(EXPORTS);
    expect(sql).toMatch(
      /pad\(t."COD_ABO", 8\) AS "external_account_number" .*7 of 7 keys are in abonados, with zeros up to 8/,
    );
  });

  it('have a bill once, where each of its lines repeats it', async () => {
    const { sql } = await mapped(EXPORTS);
    expect(sql.slice(sql.indexOf('UNION ALL'))).toMatch(
      /SELECT DISTINCT\n {4}pad\(t."COD_CLI", 8\)[\s\S]*main."lineas"/,
    );
  });

  it('name contracts, bills and keys in the words of Spain, Italy and Portugal', () => {
    expect(['COD_CLI', 'Cód. cliente', 'COD_ABO', 'N_ABONADO'].map(keyNamed)).toEqual(Array(4).fill('customer'));
    expect(['Nº_CONT', 'NUM_CONT', 'CONTADOR', 'N_SERIE'].map(keyNamed)).toEqual(Array(4).fill('meter'));
    const among = (header: string, kind: string) =>
      fieldsNamed(header).find(({ field, isWeak }) => field.kind === kind && !isWeak)?.field.path;
    expect(among('F_VTO', 'statements')).toBe('due_date');
    expect(among('Data fatura', 'statements')).toBe('issued_date');
    expect(among('F_VALOR', 'transactions')).toBe('transaction_date');
    expect(among('TFNO', 'customers')).toBe('landline');
    expect(among('IMPORTE', 'transactions')).toBe('amount');
    expect(among('Indirizzo fornitura', 'supply-points')).toBe('supply_address1');
    expect(among('CONCEPTO', 'line-items')).toBe('rate_band');
  });
});

describe('25.2.12 days of six digits', () => {
  it('that fit one order are of that order', () => {
    expect(judged(['991231', '980630'])).toMatchObject({ sql: "to_date(c, 'RRMMDD')" });
    expect(judged(['310113', '250214'])).toMatchObject({ sql: "to_date(c, 'DDMMRR')" });
  });

  it('that fit both are of the one in which none is to come, and it is said', () => {
    expect(judged(['130416', '140331', '130630'])).toMatchObject({
      sql: "to_date(c, 'RRMMDD')",
      says: expect.stringContaining('as DDMMRR, 2 of them would be to come'),
    });
  });

  it('that may be either in the past are asked about', () => {
    expect(judged(['130414', '140312'])).toMatchObject({
      open: expect.stringMatching(/may be (?:DDMMRR or RRMMDD|RRMMDD or DDMMRR)/),
      candidates: expect.arrayContaining(["to_date(…, 'DDMMRR')", "to_date(…, 'RRMMDD')"]),
    });
  });

  it('may have digits alone for an open end, which amounts have not', () => {
    expect(judged(['20130131', '99999999', '00000000'])).toMatchObject({
      sql: "to_date(null_if(c, '99999999', '00000000'), 'YYYYMMDD')",
    });
    expect(judged(['31/01/2013', '99/99/9999', '00/00/0000'])).toMatchObject({
      sql: expect.stringContaining('null_if'),
    });
    expect(judged(['12', '00000000', '99999999'], 'amount')).toMatchObject({ sql: 'c' });
  });
});

describe('25.2.12 texts that were cut', () => {
  it('are told where several end at one length, and only there', () => {
    const street = (index: number) => `Avenida de la Constitucion ${'abcdefgh'.repeat(4)} ${index}`;
    const short = Array.from({ length: 12 }, (_, index) => `Calle ${'x'.repeat(index)} 1`);
    const cut = Array.from({ length: 4 }, (_, index) => `${'abcd'[index]}${street(index)}`.slice(0, 45));
    expect(wordsOfCut([...short, ...cut, ...cut])).toBe(
      '; 4 different values have 45 characters, and none has more: they may have been cut',
    );
    expect(wordsOfCut(short)).toBe('');
    expect(wordsOfCut([...short, ...cut, `e${street(0)}`])).toBe('');
    expect(wordsOfCut(Array.from({ length: 20 }, (_, index) => `ES 0021 9999 9999 99${index + 10} XX`))).toBe('');
    const letters = Array.from({ length: 9 }, (_, index) => `Llamar antes de las 1${index} horas al mediodia`);
    expect(wordsOfCut([...short, ...letters])).toBe('');
  });

  it('stand in the draft beside their column', async () => {
    const cut = (index: number) => `Planta ${'abcde'[index]}, Avenida de la Constitucion Espanola de 1978`.slice(0, 40);
    const streets = rows((one) => [String(one), one < 5 ? cut(one) : `C/ Mayor, ${'1'.repeat(one)}`, '42001']);
    const { sql } = await mapped({ 'abonados.csv': `COD_CLI;DOM_FISCAL;CP\n${streets}\n` });
    expect(sql).toMatch(/DOM_FISCAL.*4 different values have 40 characters, and none has more/);
  });
});
