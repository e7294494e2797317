import { z } from 'zod';
import type { Fields } from './database.ts';
import { utcSeconds } from './values.ts';

export const text = (maximum: number) => z.string().max(maximum).regex(/\S/);
const day = z.iso.date();
const datetime = z.iso.datetime({ precision: 0 });
const upperSnake = text(64).regex(/^[A-Z][A-Z0-9_]*$/);
const postcode = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,8}[A-Za-z0-9])$/);
const supplierCode = text(64).regex(/^[A-Z0-9_-]+$/);
const accountNumber = text(128).regex(/^[^\p{Cc}\p{Cs}]*$/u);
const decimalString = z.string().regex(/^-?\d{1,11}(?:\.\d{1,2})?$/);
const readingString = z.string().regex(/^\d{1,12}(?:\.\d{1,7})?$/);
const documentPath = text(1024).regex(
  /^(?![A-Za-z][A-Za-z0-9+.-]*:)(?!.*%2[ef])(?!\/)(?!.*\/\/)(?!(?:.*\/)?\.{1,2}(?:\/|$))[^\\\p{Cc}\p{Cs}]+(?<!\/)$/iu,
);
const decimal = (limit: number, scale: number) =>
  z
    .number()
    .gt(-limit)
    .lt(limit)
    .refine((value) => Math.round(value * scale) / scale === value, 'Has too many decimal places.');
const money = decimal(1e11, 100);
const quantity = decimal(1e8, 1e7);

const period = <Schema extends z.ZodType<Fields>>(schema: Schema, from: string, to: string) =>
  schema.refine((value) => !value[from] || !value[to] || String(value[from]) <= String(value[to]), { path: [from] });

/** A list that may be left out. */
const listOf = <Item extends z.ZodType>(item: Item, most = 100) => z.array(item).max(most).optional();

const Reading = z.object({
  register_id: text(50),
  reading_date: day,
  reading_value: readingString,
  reading_type: text(50).optional(),
});
const Meter = z
  .object({
    meter_serial_number: text(50).optional(),
    installed_on: day.optional(),
    registers: listOf(z.object({ register_id: text(50), number_of_digits: z.int().min(1).max(20).optional() })),
    transfer_readings: listOf(Reading),
    reading_history: listOf(Reading),
  })
  .refine(({ registers = [], transfer_readings = [], reading_history = [] }) => {
    const known = new Set(registers.map(({ register_id }) => register_id));
    const readings = [...transfer_readings, ...reading_history];
    return known.size === registers.length && readings.every(({ register_id }) => known.has(register_id));
  }, 'Registers must be unique, and readings must name one.');
const Agreement = period(
  z.object({ tariff_code: text(255), effective_from: day, effective_to: day.optional() }),
  'effective_from',
  'effective_to',
);
const MeterPoint = z.object({
  identifier: text(50).optional(),
  supply_type: z.enum(['ELECTRICITY', 'GAS']).optional(),
  supply_start_date: day.optional(),
  mpid: text(50).optional(),
  agreements: listOf(Agreement),
  meters: listOf(Meter),
});
const SupplyAddress = period(
  z.object({
    supply_address1: text(255),
    supply_address2: text(255).optional(),
    supply_address3: text(255).optional(),
    supply_address4: text(255).optional(),
    supply_address5: text(255).optional(),
    supply_postcode: postcode,
    customer_at_supply_address_from_date: day,
    customer_at_supply_address_to_date: day.optional(),
    is_landlord: z.boolean().optional(),
    meter_points: listOf(MeterPoint),
  }),
  'customer_at_supply_address_from_date',
  'customer_at_supply_address_to_date',
);
const Consent = z.object({
  type: text(50),
  value: z.enum(['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING']),
  signed_at: datetime.optional(),
});
const Customer = z
  .object({
    title: text(20).optional(),
    given_name: text(255).optional(),
    family_name: text(255).optional(),
    email: z.email().max(254).optional(),
    mobile: text(32).optional(),
    landline: text(32).optional(),
    alternative_phone_numbers: listOf(text(32)),
    date_of_birth: day.optional(),
    salutation: text(255).optional(),
    pronouns: text(50).optional(),
    deceased: z.enum(['Reported', 'Confirmed']).optional(),
    user_identifier: text(255).optional(),
    consents: listOf(Consent),
    customer_preferences: z.record(z.string().regex(/^opted_into_[a-z0-9_]{1,64}$/), z.boolean()).optional(),
    psr: listOf(z.object({ code: text(50), effective_from: day.optional() })),
  })
  .refine(({ given_name, family_name }) => given_name !== undefined || family_name !== undefined, 'Give a name.');
const PaymentSchedule = period(
  z.object({
    means: z.enum(['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP']).optional(),
    start_date: day.optional(),
    end_date: day.optional(),
    frequency: text(50).optional(),
    day_of_month: z.int().min(1).max(28).optional(),
    amount: money.min(0).optional(),
  }),
  'start_date',
  'end_date',
);
const legacyLine = text(255).optional();
const LEGACY = [
  ...(['billing_address1', 'billing_address2', 'billing_address3', 'billing_address4', 'billing_address5'] as const),
  'billing_postcode',
] as const;
export const AccountPayload = z
  .object({
    import_supplier: supplierCode,
    external_account_number: accountNumber,
    account_type: z.enum(['DOMESTIC', 'BUSINESS', 'MANAGED', 'PORTFOLIO_LEAD']).default('DOMESTIC'),
    unknown_occupier: z.boolean().optional(),
    date_of_sale: day.optional(),
    sales_channel: text(50).optional(),
    sales_subchannel: text(50).optional(),
    language_preference: text(35).optional(),
    communication_preference: z.enum(['ONLINE', 'PRINT']).default('ONLINE'),
    document_accessibility: z.enum(['LARGE_PRINT', 'BRAILLE', 'SPOKEN']).optional(),
    references: listOf(z.object({ namespace: text(50), value: text(100) })),
    metadata: listOf(z.object({ key: text(255), value: text(1000) })),
    billing_name: text(510).optional(),
    billing_address1: legacyLine,
    billing_address2: legacyLine,
    billing_address3: legacyLine,
    billing_address4: legacyLine,
    billing_address5: legacyLine,
    billing_postcode: postcode.optional(),
    billing_address: z
      .object({
        country: z.string().regex(/^[A-Z]{2}$/),
        street_address: text(1000).optional(),
        locality: legacyLine,
        administrative_area: legacyLine,
        postal_code: postcode.optional(),
        delivery_point_identifier: text(50).optional(),
      })
      .optional(),
    billing_email: z.email().max(254).optional(),
    transfer_balance: decimalString.optional(),
    last_billed_to_date: day.optional(),
    customers: listOf(Customer, 50),
    supply_addresses: listOf(SupplyAddress, 500),
    payment_schedules: listOf(PaymentSchedule),
  })
  .refine(({ unknown_occupier, customers = [] }) => (customers.length === 0) === (unknown_occupier === true), {
    path: ['customers'],
  })
  .refine(({ customers = [] }) => {
    const identifiers = customers.flatMap(({ user_identifier }) => user_identifier ?? []);
    return new Set(identifiers).size === identifiers.length;
  })
  .refine((payload) => payload.billing_address === undefined || LEGACY.every((name) => payload[name] === undefined));
const Note = z
  .object({
    body: text(65_536).optional(),
    document_paths: listOf(z.object({ document_path: documentPath })),
    created_at: datetime.optional(),
    is_pinned: z.boolean().optional(),
    unpin_at: datetime.optional(),
  })
  .refine(({ body, document_paths = [] }) => body !== undefined || document_paths.length > 0)
  .refine(({ is_pinned, unpin_at }) => unpin_at === undefined || is_pinned !== undefined)
  .refine(({ created_at, unpin_at }) => !unpin_at || unpin_at > (created_at ?? utcSeconds(new Date())));
const ofTransaction = { transaction_id: text(255), transaction_date: day, note: text(4096).optional() };
const signed = { amount: money.refine((amount) => amount !== 0), display_note: text(4096).optional() };
const payment = {
  amount: money.gt(0),
  reason: upperSnake.optional(),
  reference: text(255).optional(),
  payment_type: upperSnake.optional(),
};
const LineItem = period(
  z.object({
    rate_band: upperSnake.optional(),
    start_date: day,
    end_date: day,
    number_of_units: quantity,
    net_amount: money,
    price_per_unit: quantity.optional(),
    units: listOf(quantity),
  }),
  'start_date',
  'end_date',
);
const TaxItem = z.object({
  amount: money,
  tax_type: upperSnake,
  value_taxed: money,
  rate: quantity,
  unit_type: upperSnake,
});
export const Transaction = z.discriminatedUnion('type', [
  z.object({ ...ofTransaction, type: z.literal('CHARGE'), ...signed, reason: upperSnake }),
  z.object({ ...ofTransaction, type: z.literal('CREDIT'), ...signed, reason: upperSnake }),
  z.object({ ...ofTransaction, type: z.literal('PAYMENT'), ...payment }),
  z.object({ ...ofTransaction, type: z.literal('REPAYMENT'), ...payment }),
  z.object({
    ...ofTransaction,
    type: z.literal('SUPPLY_CHARGE'),
    ...signed,
    product_code: text(255),
    line_items: z.array(LineItem).min(1).max(100),
    tax_items: listOf(TaxItem),
  }),
]);
const Statement = period(
  z.object({
    bill_period_from_date: day,
    bill_period_to_date: day,
    statement_id: text(255),
    issued_date: day,
    number: text(255),
    gross_amount: money,
    statement_path: documentPath.optional(),
  }),
  'bill_period_from_date',
  'bill_period_to_date',
);
export const ofAccount = { import_supplier: supplierCode, external_account_number: accountNumber };
export const ProcessRequest = z.object({
  import_supplier_code: supplierCode,
  external_account_number: accountNumber,
  operations_team_name: text(255),
  dry_run: z.boolean().default(false),
});
export const NotesRequest = z.object({ ...ofAccount, notes: z.array(Note).min(1).max(1_000) });
export const TransactionsRequest = z.object({ ...ofAccount, transactions: z.array(Transaction).min(1).max(10_000) });
const flag = z.enum(['true', 'false']).default('true');
export const TransactionsQuery = z.object({ check_previously_added: flag, force_add_to_current_statement: flag });
export const StatementsRequest = z.object({ ...ofAccount, statements: z.array(Statement).min(1).max(1_000) });
