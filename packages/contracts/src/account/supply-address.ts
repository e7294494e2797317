import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { field } from '../field.ts';
import { CalendarDate, Postcode } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { startsBeforeItEnds, withRules } from '../rules.ts';
import { text } from '../text.ts';
import { Meter } from './meter.ts';

const exampleAgreement = { tariff_code: 'E-1R-FIX-24M-A', effective_from: '2025-10-01', effective_to: '2027-10-01' };

export const Agreement = withRules(
  z.object({
    tariff_code: field(text(LIMITS.name), 'The code of the tariff.', 'E-1R-FIX-24M-A'),
    effective_from: field(CalendarDate, 'The first day of the agreement.', '2025-10-01'),
    effective_to: field(
      CalendarDate,
      'The day after the last day of the agreement (exclusive), not before `effective_from`; leave it out while it is open.',
      '2027-10-01',
    ).optional(),
  }),
  startsBeforeItEnds('effective_from', 'effective_to'),
).meta({ id: 'Agreement', description: 'The tariff of a meter point over a period.', examples: [exampleAgreement] });
export type Agreement = z.infer<typeof Agreement>;

const exampleMeterPoint = {
  identifier: '1200023305967',
  supply_type: 'ELECTRICITY' as const,
  supply_start_date: '2019-04-01',
  agreements: [exampleAgreement],
  meters: [
    {
      meter_serial_number: '21L3948871',
      registers: [{ register_id: '01', number_of_digits: 5 }],
      transfer_readings: [{ register_id: '01', reading_date: '2026-02-28', reading_value: '04821.5' }],
    },
  ],
};

/** A point of supply (behaviour 2.10). */
export const MeterPoint = z
  .object({
    identifier: field(
      text(LIMITS.short_text),
      "The industry's number of the meter point, such as an MPAN or MPRN.",
      '1200023305967',
    ).optional(),
    supply_type: field(z.enum(['ELECTRICITY', 'GAS']), 'ELECTRICITY or GAS.', 'ELECTRICITY').optional(),
    supply_start_date: field(
      CalendarDate,
      'The day on which you began to supply the meter point.',
      '2019-04-01',
    ).optional(),
    mpid: field(text(LIMITS.short_text), 'The market participant identifier of the supplier.', 'NWND').optional(),
    agreements: field(
      list(Agreement, LIMITS.nested),
      `The tariffs of the meter point, up to ${limitText(LIMITS.nested)}.`,
      [exampleAgreement],
    ).optional(),
    meters: field(
      list(Meter, LIMITS.nested),
      `The meters of the meter point, up to ${limitText(LIMITS.nested)}.`,
      exampleMeterPoint.meters,
    ).optional(),
  })
  .meta({ id: 'MeterPoint', description: 'A point of electricity or gas supply.', examples: [exampleMeterPoint] });
export type MeterPoint = z.infer<typeof MeterPoint>;

const exampleSupplyAddress = {
  supply_address1: 'Flat 4',
  supply_address2: '12 Alder Row',
  supply_address4: 'Leeds',
  supply_postcode: 'LS1 4AP',
  customer_at_supply_address_from_date: '2019-04-01',
  meter_points: [exampleMeterPoint],
};

const line = (number: number, example: string) =>
  field(text(LIMITS.name), `Line ${number} of the supply address.`, example);

/** Where energy is supplied (behaviour 2.10). */
export const SupplyAddress = withRules(
  z.object({
    supply_address1: line(1, 'Flat 4'),
    supply_address2: line(2, '12 Alder Row').optional(),
    supply_address3: line(3, 'Headingley').optional(),
    supply_address4: line(4, 'Leeds').optional(),
    supply_address5: line(5, 'West Yorkshire').optional(),
    supply_postcode: field(Postcode, 'The postcode: 2 to 10 letters, digits, spaces and hyphens.', 'LS1 4AP'),
    customer_at_supply_address_from_date: field(
      CalendarDate,
      'The first day on which the customer is responsible for the address.',
      '2019-04-01',
    ),
    customer_at_supply_address_to_date: field(
      CalendarDate,
      'The last day on which the customer is responsible for the address, not before the first; leave it out while it is open.',
      '2026-12-31',
    ).optional(),
    is_landlord: field(z.boolean(), 'Whether the customer is the landlord of the address.', false).optional(),
    meter_points: field(
      list(MeterPoint, LIMITS.nested),
      `The meter points at the address, up to ${limitText(LIMITS.nested)}.`,
      exampleSupplyAddress.meter_points,
    ).optional(),
  }),
  startsBeforeItEnds('customer_at_supply_address_from_date', 'customer_at_supply_address_to_date'),
).meta({ id: 'SupplyAddress', description: 'An address where energy is supplied.', examples: [exampleSupplyAddress] });
export type SupplyAddress = z.infer<typeof SupplyAddress>;
