import { z } from 'zod';
import { list, optionalList } from '../bounded-list.ts';
import { field, optional } from '../field.ts';
import { CalendarDate, LanguageTag } from '../formats.ts';
import { ExternalAccountNumber, ImportSupplierCode } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { itemsAreUnique } from '../repeats.ts';
import { type Rule, withRules } from '../rules.ts';
import { text } from '../text.ts';
import { accountTypeField } from './account-type.ts';
import { oneStyleOfAddress } from './address.ts';
import { billingFields } from './billing.ts';
import { businessFields } from './business.ts';
import { Customer } from './customer.ts';
import { debtFields } from './debt.ts';
import { exampleAccount } from './example-account.ts';
import { historyFields } from './history.ts';
import { historyRules } from './history-rules.ts';
import { AccountReference, additionalDataField, metadataField } from './metadata.ts';
import { PaymentSchedule } from './payment-schedule.ts';
import { SupplyAddress } from './supply-address.ts';

const UNLESS_OWNED =
  'unless business.name names a company or unknown_occupier is true. See “How to write a company without a person” in the guide.';

interface Occupiers {
  unknown_occupier?: boolean | undefined;
  customers?: { user_identifier?: string | undefined }[] | undefined;
  business?: { name?: string | undefined } | undefined;
}

/** Whose account it is: its customers', a company's without a person, or nobody knows. */
const accountHasAnOwner: Rule<Occupiers> = {
  reads: ['unknown_occupier', 'customers', 'business'],
  check: ({ unknown_occupier, customers, business }) => {
    const path = ['customers'];
    if (unknown_occupier === true) {
      if (customers === undefined || customers.length === 0) return undefined;
      const detail = 'Must be left out if unknown_occupier is true.';
      return { code: 'customer_with_unknown_occupier', path, detail };
    }
    if (business?.name !== undefined || (customers !== undefined && customers.length > 0)) return undefined;
    return customers === undefined
      ? { code: 'required', path, detail: `This field is required ${UNLESS_OWNED}` }
      : { code: 'empty', path, detail: `Must have at least one customer ${UNLESS_OWNED}` };
  },
};

const userIdentifiersAreUnique = itemsAreUnique('customers', 'user_identifier', {
  code: 'duplicate_user_identifier',
  detail: 'Must be unique within the payload.',
});

/** The rules over several fields of an account (behaviour 2.10). */
export const accountRules = [accountHasAnOwner, userIdentifiersAreUnique, oneStyleOfAddress('billing')] as const;

const accountFields = {
  import_supplier: ImportSupplierCode,
  external_account_number: ExternalAccountNumber,
  account_type: accountTypeField,
  unknown_occupier: optional(
    z.boolean(),
    'True if the occupier of the address is unknown; the account then has no customers.',
    false,
  ),
  date_of_sale: optional(CalendarDate, 'The day on which the customer signed up.', '2019-03-18'),
  sales_channel: optional(text(LIMITS.short_text), 'The channel through which the customer signed up.', 'WEB'),
  sales_subchannel: optional(text(LIMITS.short_text), 'A subdivision of the sales channel.', 'COMPARISON_SITE'),
  language_preference: optional(LanguageTag, 'The language to write in, as a BCP 47 tag.', 'en-GB'),
  communication_preference: field(
    z.enum(['ONLINE', 'PRINT']),
    'Whether bills and letters are sent ONLINE or in PRINT.',
    'ONLINE',
  ).default('ONLINE'),
  document_accessibility: optional(
    z.enum(['LARGE_PRINT', 'BRAILLE', 'SPOKEN']),
    'The form in which the customer can read documents: LARGE_PRINT, BRAILLE or SPOKEN.',
    'LARGE_PRINT',
  ),
  references: optionalList(AccountReference, LIMITS.nested, 'References to the account in other systems'),
};

/** One account, the input of validate, stage and create (behaviour 4.1, 2.10). */
export const AccountPayload = withRules(
  z.object({
    ...accountFields,
    ...billingFields,
    customers: optional(
      list(Customer, LIMITS.customers),
      `The people or companies on the account, 1 to ${limitText(LIMITS.customers)}. Required unless \`business.name\` names a company or \`unknown_occupier\` is true; not allowed with the latter.`,
      [{ given_name: 'Zoë', family_name: 'Hartley' }],
    ),
    supply_addresses: optionalList(SupplyAddress, LIMITS.supply_addresses, 'Where energy is supplied', [
      {
        supply_address1: 'Flat 4, 12 Alder Row',
        supply_postcode: 'LS1 4AP',
        customer_at_supply_address_from_date: '2019-04-01',
      },
    ]),
    payment_schedules: optionalList(PaymentSchedule, LIMITS.nested, 'How and when the customer pays', [
      { means: 'DD', day_of_month: 12, amount: 86.5 },
    ]),
    last_payment_review_date: optional(CalendarDate, 'The day on which the payments were last reviewed.', '2026-01-20'),
    ...debtFields,
    ...businessFields,
    metadata: metadataField,
    additional_data: additionalDataField,
    ...historyFields,
  }),
  ...accountRules,
  ...historyRules,
).meta({
  id: 'AccountPayload',
  description: `One customer account: its kind, bills and balance, customers, supply addresses with their meters, payments, debts, business, whatever has no field of its own (\`additional_data\`), and its history. An optional field that you do not want to set must be left out, not sent as null. All problems are reported at once, up to ${limitText(LIMITS.reported_errors)}.`,
  examples: [exampleAccount],
});
export type AccountPayload = z.infer<typeof AccountPayload>;

/** What validate answers (behaviour 4.1). */
export const ValidatedAccount = AccountPayload.meta({
  id: 'ValidatedAccount',
  description: 'The account as it would be staged: undocumented fields left out, defaults filled in.',
});
