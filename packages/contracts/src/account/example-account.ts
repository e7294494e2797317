/** The complete example in the documentation: a household with electricity, handed over in debit. */
export const exampleAccount = {
  import_supplier: 'NORTHWIND-2026',
  external_account_number: 'NW-0001482',
  account_type: 'DOMESTIC' as const,
  date_of_sale: '2019-03-18',
  sales_channel: 'WEB',
  language_preference: 'en-GB',
  communication_preference: 'ONLINE' as const,
  references: [{ namespace: 'legacy-crm', value: 'C-5512093' }],
  metadata: [{ key: 'migration_wave', value: '3' }],
  billing_name: 'Ms Zoë Hartley',
  billing_email: 'zoe.hartley@example.com',
  billing_address1: 'Flat 4',
  billing_address2: '12 Alder Row',
  billing_address4: 'Leeds',
  billing_postcode: 'LS1 4AP',
  transfer_balance: '-48.20',
  last_billed_to_date: '2026-02-28',
  customers: [
    {
      title: 'Ms',
      given_name: 'Zoë',
      family_name: 'Hartley',
      email: 'zoe.hartley@example.com',
      mobile: '+44 7700 900123',
      landline: '0113 496 0999',
      date_of_birth: '1984-07-21',
      user_identifier: 'U-88213',
      consents: [{ type: 'SMART_METER_READING', value: 'ACCEPTED' as const, signed_at: '2024-03-09T14:05:00Z' }],
      customer_preferences: { opted_into_offers: false, opted_into_updates: true },
    },
  ],
  supply_addresses: [
    {
      supply_address1: 'Flat 4',
      supply_address2: '12 Alder Row',
      supply_address4: 'Leeds',
      supply_postcode: 'LS1 4AP',
      customer_at_supply_address_from_date: '2019-04-01',
      meter_points: [
        {
          identifier: '1200023305967',
          supply_type: 'ELECTRICITY' as const,
          supply_start_date: '2019-04-01',
          agreements: [{ tariff_code: 'E-1R-FIX-24M-A', effective_from: '2025-10-01', effective_to: '2027-10-01' }],
          meters: [
            {
              meter_serial_number: '21L3948871',
              installed_on: '2021-05-17',
              registers: [{ register_id: '01', number_of_digits: 5 }],
              transfer_readings: [
                { register_id: '01', reading_date: '2026-02-28', reading_value: '04821.5', reading_type: 'CUSTOMER' },
              ],
            },
          ],
        },
      ],
    },
  ],
  payment_schedules: [
    { means: 'DD' as const, start_date: '2026-04-01', frequency: 'MONTHLY', day_of_month: 12, amount: 86.5 },
  ],
};
