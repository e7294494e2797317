import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { CalendarDate, EmailAddress, Postcode } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { Money, wholeNumber } from '../numbers.ts';
import { text } from '../text.ts';
import { addressLines, BillingAddress } from './address.ts';

/** From when to when each bill runs (behaviour 2.10). */
export const AccountBillingOptions = z
  .object({
    period_length: optional(
      z.enum(['MONTHLY', 'QUARTERLY']),
      'The unit of the billing period: MONTHLY or QUARTERLY.',
      'MONTHLY',
    ),
    period_length_multiplier: optional(
      wholeNumber(1, LIMITS.period_length_multiplier),
      `How many of these units a billing period has, 1 to ${limitText(LIMITS.period_length_multiplier)}.`,
      1,
    ),
    period_start_day: optional(wholeNumber(1, 31), 'The day of the month on which a period starts, 1 to 31.', 1),
    period_start_month: optional(wholeNumber(1, 12), 'The month in which a period starts, 1 to 12.', 4),
  })
  .apply(documented, 'AccountBillingOptions', 'The billing period of the account.', 'period_start_month');

const name = (description: string, example: string) =>
  field(text(LIMITS.billing_name), `${description} up to ${limitText(LIMITS.billing_name)} characters.`, example);

/** The billing fields of an account: the legacy address and the new style are mutually exclusive. */
export const billingFields = {
  billing_name: name('The name on bills,', 'Ms Zoë Hartley').optional(),
  billing_sub_name: name('A second line of the name on bills,', 'Hartley Bakeries').optional(),
  billing_attention_of: name(
    'The person or department to whose attention bills are sent,',
    'Accounts payable',
  ).optional(),
  ...addressLines('billing'),
  billing_postcode: optional(Postcode, 'The postcode of the billing address, legacy form.', 'LS1 4AP'),
  billing_delivery_point_identifier: optional(
    text(LIMITS.short_text),
    "The postal service's own number of the delivery point of the billing address, legacy form.",
    '100023336956',
  ),
  billing_address: BillingAddress.optional(),
  billing_customer_reference: optional(
    text(LIMITS.name),
    "The customer's own reference, which is printed on bills.",
    'PO-2026-118',
  ),
  billing_email: optional(
    EmailAddress,
    `Where bills are sent, up to ${limitText(LIMITS.email)} characters.`,
    'zoe.hartley@example.com',
  ),
  account_billing_options: AccountBillingOptions.optional(),
  next_bill_due_date: optional(CalendarDate, 'The day on which the next bill is due.', '2026-05-01'),
  last_billed_to_date: optional(
    CalendarDate,
    'The last day that you billed. The open statement period begins on the following day or, without this field, on the day the account is created.',
    '2026-02-28',
  ),
  transfer_balance: optional(
    Money,
    'The balance handed over: a number or a decimal string, at most two decimals; credit is positive, debt negative.',
    '-48.20',
  ),
};
