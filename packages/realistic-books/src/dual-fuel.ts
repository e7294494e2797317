import { electricity, gas } from './dual-fuel-charges.ts';
import { ADDS_UP, credit, payment, type RealisticBook } from './realistic-book.ts';

const electricityPoint = {
  mpxn: '1900009812345',
  supply_type: 'ELECTRICITY',
  supply_start_date: '2019-08-02',
  last_billed_to_date: '2026-03-31',
  mpid: 'HVLE',
  profile_class: 1,
  measurement_class: 'A',
  ssc: '0151',
  smart_type: 'SMETS2',
  eac_history: [
    { tpr: '00206', consumption: '1104.7', effective_from: '2025-04-01', source: 'D0019' },
    { tpr: '00040', consumption: 2210.25, effective_from: '2025-04-01', source: 'D0019' },
  ],
  agreements: [
    { tariff_code: 'HV-E-VAR', effective_from: '2019-08-02', effective_to: '2025-08-02' },
    { tariff_code: 'HV-E-FIX-24', effective_from: '2025-08-02', agreed_at: '2025-07-11T18:04:09Z' },
  ],
  meters: [
    { meter_serial_number: 'K08A 11732', installed_on: '2008-02-14', removed_on: '2021-09-30' },
    {
      meter_serial_number: '21E5098112',
      installed_on: '2021-09-30',
      registers: [
        { register_id: '1', identifier: 'DAY', number_of_digits: 6, tpr: '00206', is_settlement: true },
        { register_id: '2', identifier: 'NIGHT', number_of_digits: 6, tpr: '00040', is_settlement: true },
      ],
      transfer_readings: [
        { register_id: '1', reading_date: '2026-03-31', reading_value: '018842.3', reading_quality: 'ACTUAL' },
        { register_id: '2', reading_date: '2026-03-31', reading_value: '007121', reading_source: 'SMART' },
      ],
      reading_history: [{ register_id: '1', reading_date: '2026-02-28', reading_value: 18640.9, billed: true }],
    },
  ],
};

const gasPoint = {
  identifier: '7455098201',
  mpxn: '7455098201',
  supply_type: 'GAS',
  supply_start_date: '2019-08-02',
  shipper_mpid: 'HVS',
  gas_number_of_digits: 4,
  aq_history: [{ consumption: 11_820, effective_from: '2025-04-01', effective_to: '2026-03-31', source: 'N1' }],
  agreements: [{ tariff_code: 'HV-G-FIX-24', effective_from: '2025-08-02', effective_to: '2027-08-02' }],
  meters: [
    {
      meter_serial_number: 'G4A0082211',
      transfer_readings: [{ reading_date: '2026-03-31', reading_value: '02210', reading_type: 'SMART' }],
      reading_history: [
        { reading_date: '2026-02-28', reading_value: '02131', billed: true },
        { reading_date: '2026-01-31', reading_value: '02040', billed: true },
      ],
    },
  ],
};

const customer = {
  title: 'Mrs',
  given_name: 'Maud',
  family_name: 'Pendry',
  email: 'maud.pendry@example.com',
  mobile: '07700 900611',
  landline: '0113 496 0144',
  alternative_phone_numbers: [{ phone_number: '07700 900612', label: 'Daughter, evenings' }, '0113 496 0145'],
  date_of_birth: '1941-12-03',
  user_identifier: 'HV-U-5512',
  consents: [{ type: 'SMART_METER_HALF_HOURLY', value: 'REJECTED', signed_at: '2021-09-30T10:12:00Z' }],
  customer_preferences: { opted_into_offers: false, opted_into_surveys: true },
  psr: [
    { code: '29', description: 'Pensionable age', effective_from: '2019-08-02' },
    { elec_industry_code: '08', gas_industry_code: '12', additional_information: 'Oxygen concentrator.\nUpstairs.' },
    { gas_industry_code: '03', effective_from: '2024-01-09T09:30:00Z', effective_to: '2027-01-09' },
  ],
  is_user_psr_consent_obtained: true,
  psr_password: 'Primrose',
  unable_to_read_meters: true,
  address: { country: 'GB', street_address: 'Bellfield\n3 Kirk Lane', locality: 'Otley', postal_code: 'LS21 3HB' },
};

export const DUAL_FUEL: RealisticBook = {
  name: 'a household with electricity and gas, gas meters without registers, and needs on the register',
  settings: ADDS_UP,
  account: {
    account_type: 'DOMESTIC_OCCUPIER',
    date_of_sale: '2019-07-12',
    language_preference: 'en-GB',
    communication_preference: 'PRINT',
    document_accessibility: 'LARGE_PRINT',
    billing_name: 'Mrs Maud Pendry',
    billing_address1: 'Bellfield',
    billing_address2: '3 Kirk Lane',
    billing_address4: 'Otley',
    billing_postcode: 'LS21 3HB',
    last_billed_to_date: '2026-03-31',
    next_bill_due_date: '2026-05-01',
    account_billing_options: { period_length: 'MONTHLY', period_length_multiplier: 1, period_start_day: 1 },
    last_statement_balance: '-62.40',
    transfer_balance: '36.10',
    metadata: { wave: 4, flags: ['paper', 'winter'], legacy: { system: 'BILLWRIGHT', key: 8812 } },
    additional_data: { meter_photo_ids: [77101, 77102], last_contact: { channel: 'PHONE', on: '2026-03-18' } },
    customers: [customer],
    supply_addresses: [
      {
        supply_address1: 'Bellfield',
        supply_address2: '3 Kirk Lane',
        supply_address4: 'Otley',
        supply_postcode: 'LS21 3HB',
        customer_at_supply_address_from_date: '2019-08-02',
        is_landlord: false,
        meter_points: [electricityPoint, gasPoint],
      },
    ],
    payment_schedules: [
      {
        means: 'DD',
        start_date: '2025-08-12',
        frequency: 'MONTHLY',
        day_of_month: 12,
        amount: '86.50',
        trigger: 'PLAN',
      },
    ],
    last_payment_review_date: '2026-02-12',
    notes: [
      {
        body: 'Daughter calls on her behalf.\nAsk for the password.',
        created_at: '2024-01-09T09:31:00Z',
        is_pinned: true,
      },
      { body: 'Wants paper bills.', created_at: '2025-07-11T18:10:00Z' },
    ],
    historical_transactions: [
      credit('HV-BF', '2026-03-01', '39.57'),
      payment('HV-P-0312', '2026-03-12', 86.5),
      electricity,
      gas,
    ],
    transactions: [payment('HV-P-0412', '2026-04-12', '86.50'), credit('HV-C-0414', '2026-04-14', 12)],
    statements: [
      {
        bill_period_from_date: '2026-03-01',
        bill_period_to_date: '2026-03-31',
        statement_id: 'HV-S-2026-03',
        issued_date: '2026-04-02',
        number: '80',
        gross_amount: '188.47',
        statement_path: 'hv/5512/2026-03.pdf',
      },
    ],
    payment_instruction: { vendor: 'SANDBOX', reference: 'pm_ok_hv5512', type: 'DIRECT_DEBIT' },
  },
};
