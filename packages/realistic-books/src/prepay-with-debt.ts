import { ADDS_UP, charge, payment, type RealisticBook } from './realistic-book.ts';

const meter = {
  meter_serial_number: 'P21 008812',
  installed_on: '2022-03-01',
  is_prepay: true,
  prepay_customer_reference_number: '9826 1100 4410 0072',
  prepay_details: {
    credit_balance: '4.18',
    debt_balance: 96.4,
    transfer_vend_read_date: '2026-03-31',
    weekly_min: '3.00',
    weekly_max: 7.5,
  },
  registers: [{ register_id: 'R1', is_settlement: false, last_billed_to_date: '2026-03-31' }],
  transfer_readings: [{ register_id: 'R1', reading_date: '2026-03-31', reading_value: '31802' }],
};

export const PREPAY_WITH_DEBT: RealisticBook = {
  name: 'a household that pays in advance and owes from before',
  settings: ADDS_UP,
  account: {
    account_type: 'DOMESTIC',
    billing_name: 'Mr Kofi Ansah & Ms Lena Fry',
    billing_address: { country: 'GB', street_address: '17b Quarry Steps', locality: 'Bristol', postal_code: 'BS8 1AB' },
    billing_customer_reference: 'Ansah/Fry',
    last_billed_to_date: '2026-03-31',
    transfer_balance: '-312.88',
    customers: [
      { given_name: 'Kofi', family_name: 'Ansah', mobile: '+44 7700 900733', user_identifier: 'PP-1' },
      { given_name: 'Lena', family_name: 'Fry', deceased: 'Reported', user_identifier: 'PP-2' },
    ],
    supply_addresses: [
      {
        supply_address: {
          country: 'GB',
          street_address: '17b Quarry Steps',
          locality: 'Bristol',
          postal_code: 'BS8 1AB',
          delivery_point_identifier: '100055512345',
        },
        customer_at_supply_address_from_date: '2022-03-01',
        property_administrators: [
          {
            given_name: 'Ewan',
            family_name: 'Marsh',
            email: 'ewan.marsh@example.com',
            landline: '0117 496 0777',
            role: 'LANDLORD',
            effective_from: '2018-01-01',
          },
        ],
        meter_points: [{ identifier: '2200042211987', supply_type: 'ELECTRICITY', meters: [meter] }],
      },
    ],
    payment_schedules: [
      {
        means: 'PAYMENT_SLIP',
        start_date: '2026-01-12',
        end_date: '2027-01-12',
        frequency: 'FORTNIGHTLY',
        amount: 20,
        debt_repayment_element: '15.00',
        debt_repayment_end_date: '2027-01-12',
        is_debt_repayment_plan: true,
        trigger: 'REGULAR_PLAN',
      },
    ],
    debts: [
      {
        agency_name: 'Fairway Collections',
        start_date: '2025-12-01',
        campaign: 'EARLY_ARREARS',
        cais_reference: 'CA-88100',
        is_insolvent: false,
        notes: 'Agreed on the phone:\n20 a fortnight.',
        aged_debt: [
          { due_date: '2025-09-14', debt_amount: '184.12' },
          { due_date: '2025-12-14', debt_amount: 136.76 },
        ],
      },
    ],
    dunning_path: { path_name: 'DOMESTIC_PREPAY', start_date: '2026-01-15' },
    warm_home_discount: [
      { account_type: 'PREPAY', group: 'CORE', tax_year: '2024/25' },
      { account_type: 'PREPAY', group: 'BROADER', tax_year: 2025 },
    ],
    ledgers: [
      {
        historical_statement_transactions: [charge('PP-D', '2025-12-14', 320.88)],
        current_statement_transactions: [payment('PP-1', '2026-04-03', 20), charge('PP-F', '2026-04-04', '12.00')],
        last_statement_balance: '-320.88',
      },
    ],
  },
};
