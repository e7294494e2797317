import { z } from 'zod';
import { optionalList } from '../bounded-list.ts';
import { field, optional } from '../field.ts';
import { CalendarDate, DateOrDatetime } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { wholeNumber } from '../numbers.ts';
import { startsBeforeItEnds, type Violation, withRules } from '../rules.ts';
import { text } from '../text.ts';
import { AnnualQuantity, EstimatedAnnualConsumption } from './consumption.ts';
import { Meter } from './meter.ts';
import { industryCode } from './register.ts';

const exampleAgreement = { tariff_code: 'E-1R-FIX-24M-A', effective_from: '2025-10-01', effective_to: '2027-10-01' };

export const Agreement = withRules(
  z.object({
    tariff_code: field(text(LIMITS.name), 'The code of the tariff.', 'E-1R-FIX-24M-A'),
    effective_from: field(CalendarDate, 'The first day of the agreement.', '2025-10-01'),
    effective_to: optional(
      CalendarDate,
      'The day after the last day of the agreement (exclusive), not before `effective_from`; leave it out while it is open.',
      '2027-10-01',
    ),
    agreed_at: optional(DateOrDatetime, 'When the customer agreed, as a date or datetime.', '2025-09-12T10:15:00Z'),
  }),
  startsBeforeItEnds('effective_from', 'effective_to'),
).meta({
  id: 'Agreement',
  description: 'The tariff of a meter point over a period.',
  examples: [{ tariff_code: 'E-1R-FIX-24M-A', effective_from: '2025-10-01', effective_to: '2027-10-01' }],
});

export const exampleMeterPoint = {
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

const shortText = (description: string, example: string) => optional(text(LIMITS.short_text), description, example);

const marketFields = {
  mpid: shortText('The market participant identifier of the supplier.', 'NWND'),
  shipper_mpid: shortText('The market participant identifier of the gas shipper.', 'NWSH'),
  profile_class: industryCode('The profile class of the electricity industry.', '01'),
  measurement_class: shortText('The measurement class of the electricity industry.', 'A'),
  ssc: industryCode('The standard settlement configuration.', '0393'),
  smart_type: shortText('The kind of smart meter, in your own vocabulary.', 'SMETS2'),
  gas_number_of_digits: optional(
    wholeNumber(1, LIMITS.register_digits),
    `The number of digits of the gas meter before the decimal point, 1 to ${limitText(LIMITS.register_digits)}.`,
    4,
  ),
  eac_history: optionalList(
    EstimatedAnnualConsumption,
    LIMITS.consumption_estimates,
    'Estimates of the yearly consumption of electricity',
  ),
  aq_history: optionalList(AnnualQuantity, LIMITS.consumption_estimates, 'Estimates of the yearly consumption of gas', [
    { consumption: 11800, effective_from: '2025-04-01' },
  ]),
};

const repeatedMeter = (index: number): Violation => ({
  code: 'duplicate_meter',
  path: ['meters', index, 'meter_serial_number'],
  detail: 'Must be unique among the meters that are installed: put all readings of a meter in one item.',
});

/** A point of supply (behaviour 2.10). */
export const MeterPoint = withRules(
  z.object({
    identifier: shortText("The industry's number of the meter point, such as an MPAN or MPRN.", '1200023305967'),
    mpxn: shortText('Another name of `identifier`; if both are given, they must be the same.', '1200023305967'),
    supply_type: optional(
      z.enum(['ELECTRICITY', 'GAS', 'WATER', 'HEAT']),
      'ELECTRICITY, GAS, WATER or HEAT.',
      'ELECTRICITY',
    ),
    direction: optional(
      z.enum(['IMPORT', 'EXPORT']),
      'EXPORT if the customer feeds in here, such as an export MPAN; IMPORT otherwise.',
      'IMPORT',
    ),
    supply_start_date: optional(CalendarDate, 'The day on which you began to supply the meter point.', '2019-04-01'),
    supply_end_date: optional(
      CalendarDate,
      'The last day on which you supply it, not before the first; leave it out while it is open.',
      '2026-12-31',
    ),
    last_billed_to_date: optional(CalendarDate, 'The last day up to which it was billed.', '2026-02-28'),
    ...marketFields,
    agreements: optionalList(Agreement, LIMITS.agreements, 'The tariffs of the meter point'),
    meters: optionalList(Meter, LIMITS.nested, 'The meters of the meter point', exampleMeterPoint.meters),
  }),
  startsBeforeItEnds('supply_start_date', 'supply_end_date'),
  {
    reads: ['identifier', 'mpxn'],
    check: ({ identifier, mpxn }) =>
      identifier === undefined || mpxn === undefined || identifier === mpxn
        ? undefined
        : { code: 'meter_point_identifiers_differ', path: ['mpxn'], detail: 'Must be the same as identifier.' },
  },
  {
    reads: ['meters.*.meter_serial_number', 'meters.*.removed_on'],
    check: ({ meters }) => {
      if (meters === undefined || meters.length < 2) return undefined;
      const installed = meters.map((meter) => (meter.removed_on === undefined ? meter.meter_serial_number : undefined));
      return installed.flatMap((serial, index) =>
        serial === undefined || installed.indexOf(serial) === index ? [] : repeatedMeter(index),
      );
    },
  },
).meta({
  id: 'MeterPoint',
  description: 'A point of supply: of electricity, gas, water or heat.',
  examples: [exampleMeterPoint],
});
export type MeterPoint = z.infer<typeof MeterPoint>;
