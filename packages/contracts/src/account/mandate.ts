import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { LIMITS } from '../limits.ts';
import { shapedText, text } from '../text.ts';

const LAST_FOUR = /^[0-9]{4}$/;
const NOT_FOUR =
  'Must be the last four digits of the account number, such as 6789: the whole number belongs to the payment vendor.';

/** What allows payments to be taken from a bank account (behaviour 2.10). `packages/rules` refuses whole account numbers. */
export const Mandate = z
  .object({
    scheme: field(
      z.enum(['BACS', 'SEPA', 'BECS', 'NZ', 'ACH']),
      'The scheme: BACS (United Kingdom), SEPA (Europe), BECS (Australia), NZ (New Zealand) or ACH (United States).',
      'SEPA',
    ),
    reference: optional(text(LIMITS.short_text), 'The reference of the mandate.', 'NW-M-0001482'),
    creditor_id: optional(
      text(LIMITS.short_text),
      'The identifier of the creditor in the scheme, such as a service user number.',
      'DE98ZZZ09999999999',
    ),
    signed_on: optional(CalendarDate, 'The day on which the mandate was signed, not after today.', '2019-03-18'),
    account_holder: optional(text(LIMITS.billing_name), 'The holder of the bank account.', 'Zoë Hartley'),
    account_number_last_four: optional(
      shapedText(LIMITS.short_text, LAST_FOUR, NOT_FOUR),
      'The last four digits of the account number. The whole number is refused: it belongs to the payment vendor.',
      '6789',
    ),
  })
  .apply(documented, 'Mandate', 'The mandate by which payments are taken from a bank account.');
