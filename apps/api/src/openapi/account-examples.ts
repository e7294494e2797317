import { AccountPayload } from '@causeway/contracts';
import { chargeAndPayment, exampleNote, exampleStatement } from './example-data.ts';

/** The account of most examples. */
export const ACCOUNT = { import_supplier: 'NORTHWIND-2026', external_account_number: 'NW-0001482' };

/** The complete example of the contracts. */
export const household = { summary: 'A household with electricity', value: AccountPayload.meta()?.examples?.[0] };
export const smallest = {
  summary: 'The least there can be',
  value: {
    ...ACCOUNT,
    external_account_number: 'NW-0001483',
    customers: [{ given_name: 'Idris', family_name: 'Okafor' }],
  },
};
export const unknownOccupier = {
  summary: 'Nobody knows who lives there',
  value: {
    ...ACCOUNT,
    external_account_number: 'NW-0001484',
    unknown_occupier: true,
    billing_name: 'The occupier',
    billing_address: { country: 'GB', street_address: '7 Mill Lane', locality: 'York', postal_code: 'YO1 7HH' },
    supply_addresses: [
      {
        supply_address1: '7 Mill Lane',
        supply_address4: 'York',
        supply_postcode: 'YO1 7HH',
        customer_at_supply_address_from_date: '2026-01-12',
      },
    ],
  },
};
export const withHistory = {
  summary: 'An account with its history',
  value: {
    ...smallest.value,
    external_account_number: 'NW-0001490',
    last_billed_to_date: '2026-02-28',
    last_statement_balance: '0.00',
    transfer_balance: '-26.54',
    notes: [exampleNote],
    transactions: chargeAndPayment,
    statements: [exampleStatement],
    payment_instruction: { vendor: 'STRIPE', reference: 'pm_1NqkLXJ2eZvKYlo2', type: 'CARD' },
  },
};
