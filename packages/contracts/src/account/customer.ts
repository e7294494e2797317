import { z } from 'zod';
import { list, optionalList } from '../bounded-list.ts';
import { optional } from '../field.ts';
import { CalendarDate, EmailAddress } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { withRules } from '../rules.ts';
import { identifier, text } from '../text.ts';
import { BillingAddress } from './address.ts';
import { Consent } from './consent.ts';
import { CustomerPreferences } from './customer-preferences.ts';
import { AlternativePhoneNumber, phone } from './phones.ts';
import { PriorityService } from './priority-service.ts';

const NO_NAME =
  'Give a given_name or a family_name or, for a company, its company_name. See “How to write a company without a person” in the guide.';

/** A person or a company on the account (behaviour 2.10). */
export const Customer = withRules(
  z.object({
    title: optional(text(LIMITS.title), `The title, up to ${limitText(LIMITS.title)} characters.`, 'Ms'),
    given_name: optional(
      text(LIMITS.name),
      'The given name. A customer has a given name, a family name or a company name.',
      'Zoë',
    ),
    family_name: optional(text(LIMITS.name), 'The family name.', 'Hartley'),
    name_reading: optional(
      text(LIMITS.name),
      'How the name is read, such as the kana of a Japanese name.',
      'ハートリー ゾーイ',
    ),
    company_name: optional(
      text(LIMITS.billing_name),
      'The name of a company that is the customer; no name of a person is needed then.',
      'Hartley Bakeries Ltd',
    ),
    email: optional(
      EmailAddress,
      `The e-mail address, up to ${limitText(LIMITS.email)} characters.`,
      'zoe.hartley@example.com',
    ),
    mobile: phone('The mobile number.', '+44 7700 900123').optional(),
    landline: phone('The landline number.', '0113 496 0999').optional(),
    alternative_phone_numbers: optional(
      list(AlternativePhoneNumber, LIMITS.nested),
      `Further phone numbers, up to ${limitText(LIMITS.nested)}, each alone or with a label.`,
      ['+44 7700 900456', { phone_number: '+44 7700 900457', label: 'Daughter' }],
    ),
    date_of_birth: optional(CalendarDate, 'The date of birth; must be in the past.', '1984-07-21'),
    salutation: optional(text(LIMITS.name), 'How to address the customer in letters.', 'Dear Ms Hartley'),
    pronouns: optional(
      text(LIMITS.short_text),
      `The customer's pronouns, up to ${limitText(LIMITS.short_text)} characters.`,
      'she/her',
    ),
    deceased: optional(
      z.enum(['Reported', 'Confirmed']),
      'Whether a death was Reported or is Confirmed; leave it out otherwise.',
      'Reported',
    ),
    user_identifier: optional(
      identifier(LIMITS.name),
      `Your own identifier of the person; unique within the payload. ${IDENTIFIER_RULE}`,
      'U-88213',
    ),
    consents: optionalList(Consent, LIMITS.nested, "The customer's consents", [
      { type: 'SMART_METER_READING', value: 'ACCEPTED' },
    ]),
    customer_preferences: CustomerPreferences.optional(),
    psr: optionalList(PriorityService, LIMITS.nested, 'Entries on the priority services register'),
    is_user_psr_consent_obtained: optional(
      z.boolean(),
      'Whether the customer agreed that these entries are kept and shared.',
      true,
    ),
    psr_password: optional(
      text(LIMITS.name),
      'The password that visitors say at the door. It is shown in no list and no log.',
      'Lighthouse',
    ),
    unable_to_read_meters: optional(z.boolean(), 'Whether the customer cannot read the meters.', false),
    address: BillingAddress.optional(),
  }),
  {
    reads: ['given_name', 'family_name', 'company_name'],
    check: ({ given_name, family_name, company_name }) =>
      given_name === undefined && family_name === undefined && company_name === undefined
        ? { code: 'customer_name_not_found', path: ['given_name'], detail: NO_NAME }
        : undefined,
  },
).meta({
  id: 'Customer',
  description: 'A person or a company on the account.',
  examples: [
    {
      title: 'Ms',
      given_name: 'Zoë',
      family_name: 'Hartley',
      email: 'zoe.hartley@example.com',
      mobile: '+44 7700 900123',
      date_of_birth: '1984-07-21',
      user_identifier: 'U-88213',
    },
  ],
});
export type Customer = z.infer<typeof Customer>;
