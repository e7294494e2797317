import { z } from 'zod';
import { either } from '../either.ts';
import { optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { MoneyNotNegative, wholeNumber } from '../numbers.ts';
import { startsBeforeItEnds, withRules } from '../rules.ts';
import { shapedText, text } from '../text.ts';
import { Mandate } from './mandate.ts';

/** How and when the customer pays (behaviour 2.10). */
export const PaymentSchedule = withRules(
  z.object({
    means: optional(
      z.enum(['DD', 'CARD', 'MANUAL', 'PAYMENT_SLIP']),
      'How the customer pays: DD (direct debit), CARD, MANUAL or PAYMENT_SLIP.',
      'DD',
    ),
    start_date: optional(CalendarDate, 'The first day of the schedule.', '2026-04-01'),
    end_date: optional(
      CalendarDate,
      'The last day of the schedule, not before the first; leave it out while it is open.',
      '2027-03-31',
    ),
    frequency: optional(text(LIMITS.short_text), 'How often the customer pays, in your own vocabulary.', 'MONTHLY'),
    day_of_month: optional(
      either(
        wholeNumber(1, LIMITS.day_of_month),
        shapedText(
          LIMITS.short_text,
          /^LAST$/,
          `Must be a day of the month, 1 to ${limitText(LIMITS.day_of_month)}, or LAST.`,
        ),
      ),
      `The day of the month on which payment is taken, 1 to ${limitText(LIMITS.day_of_month)}, or LAST, its last day.`,
      12,
      'LAST',
    ),
    amount: optional(
      MoneyNotNegative,
      'The amount of each payment, in the currency of the account; at most two decimals, not negative; a number or a decimal string.',
      86.5,
    ),
    debt_repayment_element: optional(
      MoneyNotNegative,
      'The part of each payment that repays a debt; at most two decimals, not negative.',
      15,
    ),
    debt_repayment_end_date: optional(CalendarDate, 'The day on which the debt will be repaid.', '2027-01-12'),
    is_debt_repayment_plan: optional(z.boolean(), 'Whether the schedule is a plan to repay a debt.', false),
    trigger: optional(
      z.enum(['PLAN', 'REGULAR', 'REGULAR_PLAN', 'BALANCE', 'BILL']),
      'What triggers a payment: PLAN, REGULAR, REGULAR_PLAN, BALANCE or BILL.',
      'REGULAR',
    ),
    mandate: Mandate.optional(),
  }),
  startsBeforeItEnds('start_date', 'end_date'),
).meta({
  id: 'PaymentSchedule',
  description: 'How and when the customer pays.',
  examples: [{ means: 'DD', start_date: '2026-04-01', frequency: 'MONTHLY', day_of_month: 12, amount: 86.5 }],
});
