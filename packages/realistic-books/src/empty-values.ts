import { ADDS_UP, type RealisticBook } from './realistic-book.ts';

const kept = {
  billing_name: 'Mr Tom Ashdown',
  last_billed_to_date: '2026-03-31',
  transfer_balance: '0.00',
  customers: [{ given_name: 'Tom', family_name: 'Ashdown', mobile: '07700 900822' }],
  supply_addresses: [
    {
      supply_address1: '5 Mill Lane',
      supply_postcode: 'M1 1AE',
      customer_at_supply_address_from_date: '2020-05-01',
      meter_points: [
        {
          identifier: '1610012345678',
          supply_type: 'ELECTRICITY',
          meters: [
            {
              meter_serial_number: 'E10B22118',
              transfer_readings: [{ reading_date: '2026-03-31', reading_value: '44120' }],
            },
          ],
        },
      ],
    },
  ],
  payment_schedules: [{ means: 'DD', amount: '40.00' }],
};
const [customer] = kept.customers;
const [address] = kept.supply_addresses;
const [point] = address?.meter_points ?? [];
const [meter] = point?.meters ?? [];

/** As systems export it that know no missing values. */
export const EMPTY_VALUES: RealisticBook = {
  name: 'an account in which everything unknown is empty, none of it left out',
  settings: { ...ADDS_UP, empty_means_omitted: true },
  account: {
    ...kept,
    account_type: '',
    date_of_sale: '',
    sales_channel: null,
    document_accessibility: '',
    billing_address: { country: '', street_address: '', postal_code: null },
    billing_address1: '',
    billing_postcode: '',
    billing_email: '',
    references: [],
    metadata: {},
    additional_data: {},
    account_billing_options: { period_length: '', period_start_day: null },
    customers: [
      {
        ...customer,
        title: '',
        email: '',
        landline: null,
        date_of_birth: '',
        alternative_phone_numbers: [],
        consents: [],
        customer_preferences: {},
        psr: [],
        psr_password: '',
        address: {},
      },
    ],
    supply_addresses: [
      {
        ...address,
        supply_address: {},
        supply_address2: '',
        customer_at_supply_address_to_date: '',
        property_administrators: [],
        meter_points: [
          {
            ...point,
            mpxn: '',
            profile_class: '',
            eac_history: [],
            agreements: [],
            meters: [
              {
                ...meter,
                removed_on: '',
                registers: [],
                prepay_details: { credit_balance: null, debt_balance: '' },
                transfer_readings: [
                  { register_id: '', reading_date: '2026-03-31', reading_value: '44120', reading_type: '' },
                ],
              },
            ],
          },
        ],
      },
    ],
    payment_schedules: [{ means: 'DD', amount: '40.00', end_date: '', frequency: '', day_of_month: null }],
    debts: [],
    dunning_path: {},
    warm_home_discount: [],
    business: {},
    portfolio: {},
    account_campaigns: [],
    notes: [],
    transactions: [],
    statements: [],
    payment_instruction: {},
  },
  stored: kept,
};
