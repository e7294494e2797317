import { z } from 'zod';
import { documented, optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { Money } from '../numbers.ts';

const money = (description: string, example: number) =>
  optional(Money, `${description}; at most two decimals.`, example);

/** What a prepayment meter holds (behaviour 2.10). */
export const PrepayDetails = z
  .object({
    credit_balance: money('The credit on the meter', 12.4),
    debt_balance: money('The debt on the meter', 84.12),
    transfer_vend_read_date: optional(CalendarDate, 'The day on which these were read.', '2026-02-27'),
    weekly_min: money('The least that is taken for the debt each week', 3),
    weekly_max: money('The most that is taken for the debt each week', 7.5),
  })
  .apply(documented, 'PrepayDetails', 'What a prepayment meter holds.', 'weekly_min', 'weekly_max');
