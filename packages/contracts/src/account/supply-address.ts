import { z } from 'zod';
import { optionalList } from '../bounded-list.ts';
import { field, optional } from '../field.ts';
import { CalendarDate, Postcode } from '../formats.ts';
import { LIMITS } from '../limits.ts';
import { itemsAreUnique } from '../repeats.ts';
import { type Rule, startsBeforeItEnds, withRules } from '../rules.ts';
import { addressLines, BillingAddress, oneStyleOfAddress } from './address.ts';
import { exampleMeterPoint, MeterPoint } from './meter-point.ts';
import { PropertyAdministrator } from './property-administrator.ts';

const exampleSupplyAddress = {
  supply_address1: 'Flat 4',
  supply_address2: '12 Alder Row',
  supply_address4: 'Leeds',
  supply_postcode: 'LS1 4AP',
  customer_at_supply_address_from_date: '2019-04-01',
  meter_points: [exampleMeterPoint],
};
const exampleNewStyle = {
  supply_address: { country: 'AU', street_address: '18 Wattle Street', locality: 'Ballarat', postal_code: '3350' },
  customer_at_supply_address_from_date: '2023-08-14',
};

type Supply = { [Field in 'supply_address1' | 'supply_postcode']?: string | undefined } & {
  supply_address?: BillingAddress | undefined;
};

function requiredInLegacyForm(name: 'supply_address1' | 'supply_postcode'): Rule<Supply> {
  const detail = 'This field is required unless supply_address is given.';
  return {
    reads: ['supply_address', name],
    check: (supply) =>
      supply[name] === undefined && supply.supply_address === undefined
        ? { code: 'required', path: [name], detail }
        : undefined,
  };
}

/** Where energy is supplied (behaviour 2.10). */
export const SupplyAddress = withRules(
  z.object({
    ...addressLines('supply'),
    supply_postcode: optional(
      Postcode,
      'The postcode of the legacy form: 2 to 10 letters, digits, spaces and hyphens.',
      'LS1 4AP',
    ),
    supply_address: BillingAddress.optional(),
    customer_at_supply_address_from_date: field(
      CalendarDate,
      'The first day on which the customer is responsible for the address.',
      '2019-04-01',
    ),
    customer_at_supply_address_to_date: optional(
      CalendarDate,
      'The last day on which the customer is responsible for the address, not before the first; leave it out while it is open.',
      '2026-12-31',
    ),
    is_landlord: optional(z.boolean(), 'Whether the customer is the landlord of the address.', false),
    property_administrators: optionalList(
      PropertyAdministrator,
      LIMITS.nested,
      'Landlords and developers who look after the property',
      [{ family_name: 'Marsh', role: 'LANDLORD' }],
    ),
    meter_points: optionalList(MeterPoint, LIMITS.nested, 'The meter points at the address'),
  }),
  requiredInLegacyForm('supply_address1'),
  requiredInLegacyForm('supply_postcode'),
  oneStyleOfAddress('supply'),
  itemsAreUnique('meter_points', 'identifier', {
    code: 'duplicate_meter_point',
    detail: 'Must be unique at the address: put all meters of the meter point, and their readings, in one item.',
  }),
  startsBeforeItEnds('customer_at_supply_address_from_date', 'customer_at_supply_address_to_date'),
).meta({
  id: 'SupplyAddress',
  description:
    'An address where energy is supplied: either `supply_address`, or the legacy form with `supply_address1` and `supply_postcode`.',
  examples: [exampleSupplyAddress, exampleNewStyle],
});
export type SupplyAddress = z.infer<typeof SupplyAddress>;
