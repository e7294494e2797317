import { ADDS_UP, charge, payment, type RealisticBook } from './realistic-book.ts';

export const AUSTRALIAN: RealisticBook = {
  name: 'a household in Australia',
  settings: { ...ADDS_UP, country: 'AU' },
  account: {
    billing_name: 'Ms Priya Nandakumar',
    billing_address: {
      country: 'AU',
      street_address: 'Unit 4\n18 Wattle Street',
      locality: 'Ballarat',
      administrative_area: 'VIC',
      postal_code: '3350',
    },
    language_preference: 'en-AU',
    last_billed_to_date: '2026-03-31',
    last_statement_balance: '-210.4',
    transfer_balance: '-60.40',
    customers: [
      {
        given_name: 'Priya',
        family_name: 'Nandakumar',
        mobile: '0491 570 156',
        landline: '(03) 5550 1234',
        alternative_phone_numbers: [{ phone_number: '+61 491 570 157' }],
        address: { country: 'AU', locality: 'Ballarat', administrative_area: 'VIC' },
      },
    ],
    supply_addresses: [
      {
        supply_address: {
          country: 'AU',
          street_address: 'Unit 4\n18 Wattle Street',
          locality: 'Ballarat',
          administrative_area: 'VIC',
          postal_code: '3350',
          delivery_point_identifier: '61442019',
        },
        customer_at_supply_address_from_date: '2023-08-14',
        meter_points: [
          {
            mpxn: '61026612345',
            supply_type: 'ELECTRICITY',
            supply_start_date: '2023-08-14',
            meters: [
              {
                meter_serial_number: 'A701882',
                registers: [{ register_id: 'E1' }, { register_id: 'B1' }],
                transfer_readings: [
                  { register_id: 'E1', reading_date: '2026-03-31', reading_value: '11402.118' },
                  { register_id: 'B1', reading_date: '2026-03-31', reading_value: 982.5 },
                ],
              },
            ],
          },
        ],
      },
    ],
    historical_transactions: [charge('AU-1', '2026-03-31', '210.40')],
    transactions: [payment('AU-2', '2026-04-09', 150)],
  },
};

export const GERMAN: RealisticBook = {
  name: 'a household in Germany',
  settings: { ...ADDS_UP, country: 'DE' },
  account: {
    billing_name: 'Frau Dr. Änne Größlin-Öhm',
    billing_address: {
      country: 'DE',
      street_address: 'Hinterhaus, 3. OG\nStraße der Pariser Kommune 8',
      locality: 'Berlin',
      postal_code: '10243',
    },
    language_preference: 'de-DE',
    last_billed_to_date: '2025-12-31',
    account_billing_options: { period_length: 'MONTHLY', period_length_multiplier: 12, period_start_month: 1 },
    transfer_balance: -0.01,
    metadata: { Vertragskonto: '220 118 004', Zähler: ['1 ESY 1160 7788 42'] },
    customers: [
      {
        title: 'Frau Dr.',
        given_name: 'Änne',
        family_name: 'Größlin-Öhm',
        salutation: 'Sehr geehrte Frau Dr. Größlin-Öhm',
        landline: '030 12345678',
        mobile: '+49 1512 3456789',
        date_of_birth: '1979-02-28',
      },
    ],
    supply_addresses: [
      {
        supply_address1: 'Straße der Pariser Kommune 8',
        supply_address2: 'Hinterhaus, 3. OG',
        supply_address4: 'Berlin',
        supply_postcode: '10243',
        customer_at_supply_address_from_date: '2021-02-01',
        meter_points: [
          {
            identifier: 'DE0001234567890000000000000012345',
            supply_type: 'ELECTRICITY',
            agreements: [{ tariff_code: 'ÖKO-12', effective_from: '2025-01-01', agreed_at: '2024-12-02T08:00:00Z' }],
          },
        ],
      },
    ],
    payment_schedules: [{ means: 'DD', frequency: 'MONTHLY', day_of_month: 1, amount: '94.00' }],
    transactions: [charge('DE-1', '2026-01-15', '94.01'), payment('DE-2', '2026-02-01', '94.00')],
  },
};
