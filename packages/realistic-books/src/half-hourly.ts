import { ADDS_UP, payment, type RealisticBook } from './realistic-book.ts';

const HALF_HOURS = 31 * 48;
/** In Wh, so that sums are exact. */
const units = Array.from({ length: HALF_HOURS }, (_, index) => 118 + ((index * 37) % 411));
const wattHours = units.reduce((sum, unit) => sum + unit, 0);
/** At 0.2385 a kWh, in units of 10^-7 pounds; then 20 % of tax. */
const net = BigInt(wattHours) * 2_385n;
const tax = net / 5n;
const pence = (net + tax + 50_000n) / 100_000n;

function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** A reading for each half hour of three days, and the consumption of a month, line by line. */
export const HALF_HOURLY: RealisticBook = {
  name: 'a workshop that is charged by the half hour',
  settings: ADDS_UP,
  account: {
    account_type: 'BUSINESS',
    billing_name: 'Sill & Pane Glazing',
    last_billed_to_date: '2026-03-31',
    last_statement_balance: `-${decimal(pence, 2)}`,
    transfer_balance: '0.00',
    customers: [{ family_name: 'Sillitoe' }],
    supply_addresses: [
      {
        supply_address1: 'Unit 9',
        supply_postcode: 'NE1 4LP',
        customer_at_supply_address_from_date: '2020-05-01',
        meter_points: [
          {
            identifier: '1580001122334',
            supply_type: 'ELECTRICITY',
            profile_class: '00',
            meters: [
              {
                meter_serial_number: 'HH 2201',
                registers: [{ register_id: 'AI' }],
                reading_history: units.slice(0, 3 * 48).map((unit, index) => ({
                  register_id: 'AI',
                  reading_date: `2026-03-0${1 + Math.floor(index / 48)}`,
                  reading_value: decimal(BigInt(unit), 3),
                  reading_source: 'HH',
                })),
              },
            ],
          },
        ],
      },
    ],
    historical_transactions: [
      {
        transaction_id: 'SP-2026-03',
        transaction_date: '2026-03-31',
        type: 'SUPPLY_CHARGE',
        amount: decimal(pence, 2),
        product_code: 'HH-FLEX',
        line_items: [
          {
            rate_band: 'HALF_HOURLY',
            start_date: '2026-03-01',
            end_date: '2026-03-31',
            number_of_units: decimal(BigInt(wattHours), 3),
            net_amount: decimal(net, 7),
            price_per_unit: '0.2385',
            units: units.map((unit) => decimal(BigInt(unit), 3)),
          },
        ],
        tax_items: [
          {
            amount: decimal(tax, 7),
            tax_type: 'VAT',
            value_taxed: decimal(net, 7),
            rate: '0.2',
            unit_type: 'PROPORTION',
          },
        ],
      },
    ],
    transactions: [payment('SP-PAY', '2026-04-10', decimal(pence, 2))],
  },
};
