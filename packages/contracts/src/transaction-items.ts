import { z } from 'zod';
import { list } from './bounded-list.ts';
import { documented, field, optional } from './field.ts';
import { CalendarDate } from './formats.ts';
import { LIMITS, limitText } from './limits.ts';
import { Quantity, UnroundedMoney } from './numbers.ts';
import { startsBeforeItEnds, withRules } from './rules.ts';
import { upperSnake } from './text.ts';

export const exampleLineItem = {
  rate_band: 'CONSUMPTION_STANDARD',
  start_date: '2026-03-01',
  end_date: '2026-03-31',
  number_of_units: 312.4,
  net_amount: 76.54,
  price_per_unit: 0.245,
  units: [98.1, 104.7, 109.6],
};
export const exampleTaxItem = {
  amount: 3.83,
  tax_type: 'VAT',
  value_taxed: 76.54,
  rate: 0.05,
  unit_type: 'PROPORTION',
};

/** One line of a supply charge (behaviour 2.5). */
export const LineItem = withRules(
  z.object({
    rate_band: optional(upperSnake(), 'The rate that applies: any UPPER_SNAKE name.', 'CONSUMPTION_STANDARD'),
    start_date: field(CalendarDate, 'The first day charged.', '2026-03-01'),
    end_date: field(CalendarDate, 'The last day charged (inclusive); not before the first.', '2026-03-31'),
    number_of_units: field(
      Quantity,
      'How many units are charged, a number or a decimal string; at most ten decimals, below 10^8.',
      312.4,
    ),
    net_amount: field(
      UnroundedMoney,
      'The amount without tax, a number or a decimal string; at most ten decimals, below 10^11. It is not rounded.',
      76.54,
    ),
    price_per_unit: optional(
      Quantity,
      'The price of one unit without tax, a number or a decimal string; at most ten decimals, below 10^8.',
      0.245,
    ),
    units: optional(
      list(Quantity, LIMITS.long_list),
      `The units broken down, such as one figure per reading or per half hour, up to ${limitText(LIMITS.long_list)}: numbers or decimal strings, at most ten decimals each.`,
      [98.1, 104.7, 109.6],
    ),
  }),
  startsBeforeItEnds('start_date', 'end_date'),
).apply(documented, 'LineItem', 'One line of a supply charge.');

/** A tax on a supply charge (behaviour 2.5). */
export const TaxItem = z
  .object({
    amount: field(
      UnroundedMoney,
      'The tax, a number or a decimal string; at most ten decimals, below 10^11. It is not rounded.',
      3.83,
    ),
    tax_type: field(upperSnake(), 'The kind of tax, such as VAT: any UPPER_SNAKE name.', 'VAT'),
    value_taxed: field(
      UnroundedMoney,
      'The amount on which the tax is raised, a number or a decimal string; at most ten decimals, below 10^11.',
      76.54,
    ),
    rate: field(
      Quantity,
      'The rate, in the unit of `unit_type`, a number or a decimal string; at most ten decimals, below 10^8.',
      0.05,
    ),
    unit_type: field(upperSnake(), 'What `rate` is: PROPORTION (0.05 is 5 %) or any UPPER_SNAKE name.', 'PROPORTION'),
  })
  .apply(documented, 'TaxItem', 'A tax on a supply charge.');
