import { mpanOf, mprnOf } from '@causeway/realistic-books';

/** The number of different accounts; account n equals account n + BOOK_SIZE except for its number and meter points. */
export const BOOK_SIZE = 64;
const NOTES = 2;
export const JOURNEY_TRANSACTIONS = 24;
export const JOURNEY_STATEMENTS = 12;

/** One account of the book: the bodies of its calls, without the account number. */
export interface BookedAccount {
  account: (number: string) => string;
  /** The account with all that the other bodies carry. */
  bundle: (number: string) => string;
  notes: (number: string) => string;
  transactions: (number: string) => string;
  statements: (number: string) => string;
}

interface BookOptions {
  importSupplier: string;
  /** YYYY-MM-DD: transactions lie in the weeks before it, within the open statement period. */
  today: string;
}

type Fields = Record<string, unknown>;

/** A body split where the account number goes, and the meter points that only this account has. */
function template(body: Fields): (number: string) => string {
  const parts = JSON.stringify({ ...body, external_account_number: '@@number@@' }).split(/@@(\w+)@@/);
  return (number) => parts.map((part, index) => (index % 2 === 0 ? part : fill(part, number))).join('');
}

function fill(mark: string, number: string): string {
  if (mark === 'number') return number;
  const digits = number.replaceAll(/\D/g, '').padStart(10, '0');
  return mark === 'mpan' ? mpanOf(`12${digits.slice(-10)}`) : mprnOf(digits.slice(-8));
}

/** The n-th account of the book, the same on every machine and every day except for its dates. */
export function createBook(options: BookOptions): (index: number) => BookedAccount {
  const { importSupplier: import_supplier, today } = options;
  const book = Array.from({ length: BOOK_SIZE }, (_, place): BookedAccount => {
    const transactions = Array.from({ length: JOURNEY_TRANSACTIONS }, (__, index) =>
      transactionOf(place, index, today),
    );
    const notes = Array.from({ length: NOTES }, (__, index) => noteOf(place, index));
    const statements = Array.from({ length: JOURNEY_STATEMENTS }, (__, index) => statementOf(place, index));
    return {
      account: template({ import_supplier, ...accountOf(place, today) }),
      bundle: template({ import_supplier, ...accountOf(place, today), notes, transactions, statements }),
      notes: template({ import_supplier, notes }),
      transactions: template({ import_supplier, transactions }),
      statements: template({ import_supplier, statements }),
    };
  });
  return (index) => book[index % BOOK_SIZE] as BookedAccount;
}

export function dayBefore(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

const FAMILY_NAMES = ['Hartley', 'Okafor', 'Llewellyn', 'Nowak', 'Ó Briain', 'Singh', 'MacLeod', 'Rivière'];
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
const digits = (value: number, length: number) => String(value).padStart(length, '0');
/** Pence to the JSON number of pounds. */
const pounds = (pence: number) => Number((pence / 100).toFixed(2));

/** 1.2 kB: two customers, one supply address, two meter points, one payment schedule. */
function accountOf(place: number, today: string): Fields {
  const family_name = at(FAMILY_NAMES, place);
  const mailbox = `customer${digits(place, 4)}@example.com`;
  const supply = {
    supply_address1: `${place + 1} Alder Row`,
    supply_postcode: `LS${(place % 9) + 1} 4AP`,
  };
  return {
    billing_name: `Ms Zoë ${family_name}`,
    transfer_balance: `${place % 2 === 0 ? '-' : ''}${place + 12}.${digits(place, 2)}`,
    last_billed_to_date: dayBefore(today, 60),
    customers: [
      { title: 'Ms', given_name: 'Zoë', family_name, email: mailbox, mobile: `+44 7700 900${digits(place, 3)}` },
      {
        given_name: 'Idris',
        family_name,
        date_of_birth: `19${70 + (place % 30)}-07-21`,
        user_identifier: `U-${place}`,
      },
    ],
    supply_addresses: [
      {
        ...supply,
        customer_at_supply_address_from_date: '2021-04-01',
        meter_points: [meterPointOf(place, 'ELECTRICITY'), meterPointOf(place, 'GAS')],
      },
    ],
    payment_schedules: [{ means: 'DD', frequency: 'MONTHLY', day_of_month: (place % 28) + 1, amount: 86.5 }],
  };
}

function meterPointOf(place: number, supply_type: 'ELECTRICITY' | 'GAS'): Fields {
  return {
    identifier: supply_type === 'GAS' ? '@@mprn@@' : '@@mpan@@',
    supply_type,
    agreements: [{ tariff_code: 'FIX-24M-A', effective_from: '2025-10-01' }],
    meters: [
      {
        meter_serial_number: `21L39${digits(place, 5)}`,
        registers: [{ register_id: '01' }],
        transfer_readings: [{ register_id: '01', reading_date: '2026-02-28', reading_value: `0482${place % 10}.5` }],
      },
    ],
  };
}

function noteOf(place: number, index: number): Fields {
  const body = `Customer ${place} called about the move of the direct debit; explained what happens next (${index}).`;
  const created_at = `2025-11-${digits((place % 28) + 1, 2)}T10:15:0${index}Z`;
  const document_paths = [{ document_path: `letters/2025/call-${place}.pdf` }];
  return index === 0 ? { body, created_at, is_pinned: true } : { body, created_at, document_paths };
}

const KINDS = ['SUPPLY_CHARGE', 'PAYMENT', 'CHARGE', 'PAYMENT', 'SUPPLY_CHARGE', 'CREDIT'] as const;

/** The n-th transaction of an account: a third each are charges for supply and payments. */
function transactionOf(place: number, index: number, today: string): Fields {
  const type = at(KINDS, index);
  const common = {
    transaction_id: `T-${digits(place, 2)}-${digits(index, 5)}`,
    transaction_date: dayBefore(today, 1 + (index % 50)),
    type,
    amount: pounds(transactionPence(place, index)),
  };
  if (type === 'PAYMENT') {
    return { ...common, reference: `NW ${digits(place, 7)}`, payment_type: 'DD_REGULAR_COLLECTION' };
  }
  if (type !== 'SUPPLY_CHARGE') {
    return { ...common, reason: `IMPORTED_${type}`, display_note: 'Adjustment agreed on the phone' };
  }
  const start_date = dayBefore(today, 59);
  const net_amount = pounds(transactionPence(place, index) - 383);
  const units = { number_of_units: 312.4, net_amount, price_per_unit: 0.245 };
  return {
    ...common,
    product_code: 'E-1R-FIX-24M-A',
    line_items: [{ rate_band: 'CONSUMPTION_STANDARD', start_date, end_date: dayBefore(today, 31), ...units }],
    tax_items: [{ amount: 3.83, tax_type: 'VAT', value_taxed: net_amount, rate: 0.05, unit_type: 'PROPORTION' }],
  };
}

const transactionPence = (place: number, index: number) => 1_000 + place * 37 + (index % 1_000) * 11;

/** The sum of the transactions of account `index`, in pence. */
export function penceOf(index: number): number {
  let sum = 0;
  for (let number = 0; number < JOURNEY_TRANSACTIONS; number += 1) sum += transactionPence(index % BOOK_SIZE, number);
  return sum;
}

function statementOf(place: number, index: number): Fields {
  const month = digits(index + 1, 2);
  return {
    bill_period_from_date: `2024-${month}-01`,
    bill_period_to_date: `2024-${month}-28`,
    statement_id: `ST-${month}-${digits(place, 6)}`,
    issued_date: `2025-${month}-03`,
    number: `${place}-${index}`,
    gross_amount: pounds(8_000 + place * 11 + index * 101),
    statement_path: `statements/2024/${month}/${place}.pdf`,
  };
}
