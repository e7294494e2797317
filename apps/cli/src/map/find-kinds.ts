import type { KindName } from '../convert/kind-names.ts';

/**
 * The fields by which rows of a kind are known: at least one of each group. `key` fields are those that say whose the row
 * is.
 */
const MARKS: Readonly<Record<KindName, readonly (readonly string[])[]>> = {
  accounts: [
    [
      'billing_name',
      'billing_address1',
      'billing_email',
      'account_type',
      'transfer_balance',
      'business.name',
      'date_of_sale',
    ],
  ],
  customers: [['family_name', 'given_name', 'date_of_birth']],
  'supply-points': [
    ['meter_points.identifier'],
    [
      ...['supply_address1', 'supply_postcode', 'customer_at_supply_address_from_date', 'meter_points.supply_type'],
      ...['meter_points.supply_start_date', 'meter_points.meters.installed_on', 'meter_points.mpid'],
    ],
  ],
  registers: [['register_id'], ['number_of_digits']],
  readings: [['reading_value'], ['reading_date']],
  agreements: [['meter_point_identifier'], ['tariff_code'], ['effective_from']],
  notes: [['body'], ['created_at', 'external_id']],
  transactions: [['amount'], ['transaction_date'], ['transaction_id', 'reference', 'type']],
  'line-items': [['transaction_id'], ['net_amount'], ['start_date', 'number_of_units', 'price_per_unit']],
  'tax-items': [['transaction_id'], ['amount'], ['rate', 'tax_type', 'value_taxed']],
  statements: [['statement_id'], ['bill_period_from_date', 'issued_date', 'statement_path']],
  'payment-instructions': [['vendor'], ['reference']],
};

/** The kinds that a file holds, by the fields that its columns can be. */
export function findKinds(fields: ReadonlyMap<KindName, ReadonlySet<string>>): KindName[] {
  const holds = (kind: KindName) =>
    MARKS[kind].every((group) => group.some((path) => fields.get(kind)?.has(path) === true));
  return [...fields.keys()].filter(holds);
}
