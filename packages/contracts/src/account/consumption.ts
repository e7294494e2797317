import { z } from 'zod';
import { field, optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { LIMITS } from '../limits.ts';
import { Quantity } from '../numbers.ts';
import { startsBeforeItEnds, withRules } from '../rules.ts';
import { text } from '../text.ts';
import { industryCode } from './register.ts';

const consumption = field(
  Quantity,
  `The consumption in kWh a year: at most ${LIMITS.quantity_decimal_places} decimals, below 10^${LIMITS.quantity_integer_digits}.`,
  2912.5,
);
const effectiveFrom = optional(CalendarDate, 'The first day of the estimate.', '2025-10-01');
const source = optional(text(LIMITS.short_text), 'Where it came from, in your own vocabulary.', 'D0019');

export const EstimatedAnnualConsumption = z
  .object({
    tpr: industryCode('The time pattern regime.', '00001'),
    consumption,
    effective_from: effectiveFrom,
    source,
  })
  .meta({
    id: 'EstimatedAnnualConsumption',
    description: 'An estimate of the consumption of electricity in a year.',
    examples: [{ tpr: '00001', consumption: 2912.5, effective_from: '2025-10-01' }],
  });

export const AnnualQuantity = withRules(
  z.object({
    consumption,
    effective_from: effectiveFrom,
    effective_to: optional(CalendarDate, 'The last day of the estimate, not before the first.', '2026-03-31'),
    source,
  }),
  startsBeforeItEnds('effective_from', 'effective_to'),
).meta({
  id: 'AnnualQuantity',
  description: 'An estimate of the consumption of gas in a year.',
  examples: [{ consumption: 11800, effective_from: '2025-04-01', effective_to: '2026-03-31' }],
});
