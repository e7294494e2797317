import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { field } from '../field.ts';
import { CalendarDate, EmailAddress, LanguageTag } from '../formats.ts';
import { ExternalAccountNumber, ImportSupplierCode } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { BalanceString } from '../numbers.ts';
import { withRules } from '../rules.ts';
import { prose, text } from '../text.ts';
import { accountRules } from './account-rules.ts';
import { billingFields } from './billing-address.ts';
import { Customer } from './customer.ts';
import { exampleAccount } from './example-account.ts';
import { PaymentSchedule } from './payment-schedule.ts';
import { SupplyAddress } from './supply-address.ts';

export const AccountReference = z
  .object({
    namespace: field(
      text(LIMITS.reference_namespace),
      `The system that uses the reference, up to ${limitText(LIMITS.reference_namespace)} characters.`,
      'legacy-crm',
    ),
    value: field(
      text(LIMITS.reference_value),
      `The reference, up to ${limitText(LIMITS.reference_value)} characters.`,
      'C-5512093',
    ),
  })
  .meta({
    id: 'AccountReference',
    description: 'A number or name that the account has in another system.',
    examples: [{ namespace: 'legacy-crm', value: 'C-5512093' }],
  });
export type AccountReference = z.infer<typeof AccountReference>;

export const AccountMetadata = z
  .object({
    key: field(text(LIMITS.name), 'The name of the value.', 'migration_wave'),
    value: field(prose(LIMITS.long_text), `The value, up to ${limitText(LIMITS.long_text)} characters.`, '3'),
  })
  .meta({
    id: 'AccountMetadata',
    description: 'A value of your own that is kept with the account.',
    examples: [{ key: 'migration_wave', value: '3' }],
  });
export type AccountMetadata = z.infer<typeof AccountMetadata>;

const accountFields = {
  import_supplier: ImportSupplierCode,
  external_account_number: ExternalAccountNumber,
  account_type: field(
    z.enum(['DOMESTIC', 'BUSINESS', 'MANAGED', 'PORTFOLIO_LEAD']),
    'DOMESTIC, BUSINESS, MANAGED or PORTFOLIO_LEAD.',
    'DOMESTIC',
  ).default('DOMESTIC'),
  unknown_occupier: field(
    z.boolean(),
    'True if the occupier of the address is unknown; the account then has no customers.',
    false,
  ).optional(),
  date_of_sale: field(CalendarDate, 'The day on which the customer signed up.', '2019-03-18').optional(),
  sales_channel: field(text(LIMITS.short_text), 'The channel through which the customer signed up.', 'WEB').optional(),
  sales_subchannel: field(text(LIMITS.short_text), 'A subdivision of the sales channel.', 'COMPARISON_SITE').optional(),
  language_preference: field(LanguageTag, 'The language to write in, as a BCP 47 tag.', 'en-GB').optional(),
  communication_preference: field(
    z.enum(['ONLINE', 'PRINT']),
    'Whether bills and letters are sent ONLINE or in PRINT.',
    'ONLINE',
  ).default('ONLINE'),
  document_accessibility: field(
    z.enum(['LARGE_PRINT', 'BRAILLE', 'SPOKEN']),
    'The form in which the customer can read documents: LARGE_PRINT, BRAILLE or SPOKEN.',
    'LARGE_PRINT',
  ).optional(),
  references: field(
    list(AccountReference, LIMITS.nested),
    `References to the account in other systems, up to ${limitText(LIMITS.nested)}.`,
    [{ namespace: 'legacy-crm', value: 'C-5512093' }],
  ).optional(),
  metadata: field(list(AccountMetadata, LIMITS.nested), `Values of your own, up to ${limitText(LIMITS.nested)}.`, [
    { key: 'migration_wave', value: '3' },
  ]).optional(),
};

const balanceFields = {
  billing_email: field(
    EmailAddress,
    `Where bills are sent, up to ${limitText(LIMITS.email)} characters.`,
    'zoe.hartley@example.com',
  ).optional(),
  transfer_balance: field(
    BalanceString,
    'The balance handed over, as a decimal string with two decimals; credit is positive, debt negative.',
    '-48.20',
  ).optional(),
  last_billed_to_date: field(
    CalendarDate,
    'The last day that you billed. The open statement period begins on the following day or, without this field, on the day the account is created.',
    '2026-02-28',
  ).optional(),
};

/** One account, the input of validate, stage and create (behaviour 4.1, 2.10). */
export const AccountPayload = withRules(
  z.object({
    ...accountFields,
    ...billingFields,
    ...balanceFields,
    customers: field(
      list(Customer, LIMITS.customers),
      `The people on the account, 1 to ${limitText(LIMITS.customers)}. Required unless \`unknown_occupier\` is true; not allowed if it is.`,
      [{ given_name: 'Zoë', family_name: 'Hartley' }],
    ).optional(),
    supply_addresses: field(
      list(SupplyAddress, LIMITS.supply_addresses),
      `Where energy is supplied, up to ${limitText(LIMITS.supply_addresses)}.`,
      [
        {
          supply_address1: 'Flat 4, 12 Alder Row',
          supply_postcode: 'LS1 4AP',
          customer_at_supply_address_from_date: '2019-04-01',
        },
      ],
    ).optional(),
    payment_schedules: field(
      list(PaymentSchedule, LIMITS.nested),
      `How and when the customer pays, up to ${limitText(LIMITS.nested)}.`,
      [{ means: 'DD', day_of_month: 12, amount: 86.5 }],
    ).optional(),
  }),
  ...accountRules,
).meta({
  id: 'AccountPayload',
  description: `One customer account. An optional field that you do not want to set must be left out, not sent as null. All problems are reported at once, up to ${limitText(LIMITS.reported_errors)}.`,
  examples: [exampleAccount],
});
export type AccountPayload = z.infer<typeof AccountPayload>;

/** What validate answers (behaviour 4.1). */
export const ValidatedAccount = AccountPayload.meta({
  id: 'ValidatedAccount',
  description: 'The account as it would be staged: undocumented fields left out, defaults filled in.',
});
export type ValidatedAccount = z.infer<typeof ValidatedAccount>;
