import { ADDS_UP, payment, type RealisticBook } from './realistic-book.ts';

/** Half hours of a day, in kWh. */
const halfHours = Array.from({ length: 48 }, (_, index) => (index % 7 === 0 ? `0.${index}0` : index / 100));

/** A company without a person: it feeds in, is read to the minute, and has heat and water from the same supplier. */
export const SOLAR_COMPANY: RealisticBook = {
  name: 'a company in Japan with solar panels, heat and water',
  settings: { ...ADDS_UP, country: 'JP' },
  account: {
    account_type: 'BUSINESS',
    billing_name: '株式会社あおぞら',
    business: { name: '株式会社あおぞら' },
    billing_address: { country: 'FR', street_address: '8 rue du Port', locality: 'Paris', postal_code: '75008' },
    language_preference: 'ja-JP',
    last_billed_to_date: '2026-03-31',
    transfer_balance: '120.00',
    customers: [
      { company_name: '株式会社あおぞら', name_reading: 'カブシキガイシャ アオゾラ', email: 'taro..t@docomo.ne.jp' },
      { given_name: '太郎', family_name: '青空', name_reading: 'アオゾラ タロウ', email: 'ab.@ezweb.ne.jp' },
    ],
    supply_addresses: [
      {
        supply_address: { country: 'JP', street_address: '中区本町1-2', locality: '横浜市', postal_code: '231-0005' },
        customer_at_supply_address_from_date: '2021-06-01',
        meter_points: [
          {
            identifier: '0311112222333344445555',
            supply_type: 'ELECTRICITY',
            direction: 'EXPORT',
            meters: [
              {
                meter_serial_number: 'SOL-77',
                registers: [
                  { register_id: 'E', direction: 'EXPORT', unit: 'kWh', multiplier: '0.10' },
                  { register_id: 'N', direction: 'BOTH', unit: 'kWh', multiplier: 40 },
                ],
                transfer_readings: [
                  ...['22:00:00', '10:00:00'].map((time, index) => ({
                    ...{ register_id: 'E', reading_date: '2026-03-31', reading_at: `2026-03-31T${time}Z` },
                    reading_value: `00${812 - index}.5`,
                  })),
                  { register_id: 'N', reading_date: '2026-03-31', reading_value: '-0044.20' },
                  { register_id: 'N', reading_date: '2026-03-30', reading_value: -45.5 },
                ],
                interval_readings: [
                  {
                    register_id: 'E',
                    start: '2026-03-30T15:00:00Z',
                    minutes: 30,
                    values: halfHours,
                    quality: 'ACTUAL',
                  },
                  { register_id: 'N', start: '2026-03-30T15:00:00Z', minutes: 5, values: [-0.5, '0.25', 0] },
                ],
              },
            ],
          },
          { identifier: 'W-1', supply_type: 'WATER', meters: [{ registers: [{ register_id: '1', unit: 'm³' }] }] },
          { identifier: 'H-1', supply_type: 'HEAT', direction: 'IMPORT' },
        ],
      },
    ],
    payment_schedules: [
      {
        ...{ means: 'DD', day_of_month: 'LAST', amount: '60.00' },
        mandate: {
          ...{ scheme: 'SEPA', reference: 'MNDT-0001', creditor_id: 'DE98ZZZ09999999999', signed_on: '2021-05-20' },
          ...{ account_holder: '株式会社あおぞら', account_number_last_four: '3000' },
        },
      },
      { means: 'DD', day_of_month: 31, amount: 60, mandate: { scheme: 'BACS' } },
    ],
    transactions: [payment('JP-1', '2026-04-01', '120.00')],
  },
};
