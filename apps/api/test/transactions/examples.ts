/** One transaction of each type with every field that its type takes (behaviour 2.5). */
export const EVERY_TYPE = {
  CHARGE: {
    type: 'CHARGE',
    amount: 76.54,
    reason: 'IMPORTED_CHARGE',
    display_note: 'Adjustment for March',
    note: 'From the CRM',
  },
  CREDIT: { type: 'CREDIT', amount: 12.3, reason: 'GENERAL_CREDIT', display_note: 'Goodwill', note: 'Case 12' },
  PAYMENT: {
    type: 'PAYMENT',
    amount: 50,
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    reference: 'NW 0001482',
    payment_type: 'DD_REGULAR_COLLECTION',
    note: 'Bank file 7',
    reverses: 'T-0',
    to_prepay_meter_serial_number: '21L3948871',
  },
  REPAYMENT: {
    type: 'REPAYMENT',
    amount: 20.01,
    reason: 'FULL_CREDIT_REFUND',
    reference: 'RF-9',
    payment_type: 'DIRECT_CREDIT',
  },
  SUPPLY_CHARGE: {
    type: 'SUPPLY_CHARGE',
    amount: 80.36,
    display_note: 'Electricity, March',
    note: 'Estimated',
    product_code: 'E-1R-FIX-24M-A',
    line_items: [
      {
        rate_band: 'CONSUMPTION_STANDARD',
        start_date: '2026-03-01',
        end_date: '2026-03-31',
        number_of_units: 312.4,
        net_amount: 76.54,
        price_per_unit: 0.2450001,
        units: [98.1, 104.7, 109.6],
      },
      { start_date: '2026-03-31', end_date: '2026-03-31', number_of_units: -0.0000001, net_amount: -0.01 },
    ],
    tax_items: [{ amount: 3.83, tax_type: 'VAT', value_taxed: 76.54, rate: 0.05, unit_type: 'PROPORTION' }],
  },
} as const;

/** A charge inside the open period of the example account on 20 April 2026. */
export function charge(transaction_id: string, overrides: Record<string, unknown> = {}) {
  return { transaction_id, transaction_date: '2026-04-05', ...EVERY_TYPE.CHARGE, ...overrides };
}
