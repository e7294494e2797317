import { z } from 'zod';
import { list } from '../bounded-list.ts';
import { field } from '../field.ts';
import { CalendarDate, EmailAddress, UtcDatetime } from '../formats.ts';
import { IDENTIFIER_RULE } from '../identifiers.ts';
import { LIMITS, limitText } from '../limits.ts';
import { withRules } from '../rules.ts';
import { identifier, text } from '../text.ts';
import { CustomerPreferences } from './customer-preferences.ts';

/** A consent that a customer gave or refused. */
export const Consent = z
  .object({
    type: field(text(LIMITS.short_text), 'What the consent is about, in your own vocabulary.', 'SMART_METER_READING'),
    value: field(
      z.enum(['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING']),
      'What the customer answered: ACCEPTED, REJECTED, UNKNOWN or PENDING.',
      'ACCEPTED',
    ),
    signed_at: field(UtcDatetime, 'When the customer answered, in UTC.', '2024-03-09T14:05:00Z').optional(),
  })
  .meta({
    id: 'Consent',
    description: 'A consent that a customer gave or refused.',
    examples: [{ type: 'SMART_METER_READING', value: 'ACCEPTED', signed_at: '2024-03-09T14:05:00Z' }],
  });
export type Consent = z.infer<typeof Consent>;

/** An entry on the priority services register. */
export const PriorityService = z
  .object({
    code: field(text(LIMITS.short_text), 'The code of the need on the priority services register.', '20'),
    effective_from: field(CalendarDate, 'The first day of the need.', '2021-11-02').optional(),
  })
  .meta({
    id: 'PriorityService',
    description: 'A need of the customer that is on the priority services register.',
    examples: [{ code: '20', effective_from: '2021-11-02' }],
  });
export type PriorityService = z.infer<typeof PriorityService>;

const phone = (description: string, example: string) => field(text(LIMITS.phone_number), description, example);
const PHONE_RULE =
  "Up to 32 characters; must be a possible number in the import supplier's country, or be written with + and a country code.";

/** A person on the account (behaviour 2.10). */
export const Customer = withRules(
  z.object({
    title: field(text(LIMITS.title), `The title, up to ${limitText(LIMITS.title)} characters.`, 'Ms').optional(),
    given_name: field(
      text(LIMITS.name),
      'The given name. A customer has a given name, a family name or both.',
      'Zoë',
    ).optional(),
    family_name: field(text(LIMITS.name), 'The family name.', 'Hartley').optional(),
    email: field(
      EmailAddress,
      `The e-mail address, up to ${limitText(LIMITS.email)} characters.`,
      'zoe.hartley@example.com',
    ).optional(),
    mobile: phone(`The mobile number. ${PHONE_RULE}`, '+44 7700 900123').optional(),
    landline: phone(`The landline number. ${PHONE_RULE}`, '0113 496 0999').optional(),
    alternative_phone_numbers: field(
      list(phone(PHONE_RULE, '+44 7700 900456'), LIMITS.nested),
      `Further phone numbers, up to ${limitText(LIMITS.nested)}.`,
      ['+44 7700 900456'],
    ).optional(),
    date_of_birth: field(CalendarDate, 'The date of birth; must be in the past.', '1984-07-21').optional(),
    salutation: field(text(LIMITS.name), 'How to address the customer in letters.', 'Dear Ms Hartley').optional(),
    pronouns: field(
      text(LIMITS.short_text),
      `The customer's pronouns, up to ${limitText(LIMITS.short_text)} characters.`,
      'she/her',
    ).optional(),
    deceased: field(
      z.enum(['Reported', 'Confirmed']),
      'Whether a death was Reported or is Confirmed; leave it out otherwise.',
      'Reported',
    ).optional(),
    user_identifier: field(
      identifier(LIMITS.name),
      `Your own identifier of the person; unique within the payload. ${IDENTIFIER_RULE}`,
      'U-88213',
    ).optional(),
    consents: field(list(Consent, LIMITS.nested), `The customer's consents, up to ${limitText(LIMITS.nested)}.`, [
      { type: 'SMART_METER_READING', value: 'ACCEPTED' },
    ]).optional(),
    customer_preferences: CustomerPreferences.optional(),
    psr: field(
      list(PriorityService, LIMITS.nested),
      `Entries on the priority services register, up to ${limitText(LIMITS.nested)}.`,
      [{ code: '20', effective_from: '2021-11-02' }],
    ).optional(),
  }),
  {
    reads: ['given_name', 'family_name'],
    check: ({ given_name, family_name }) =>
      given_name === undefined && family_name === undefined
        ? { code: 'customer_name_not_found', path: ['given_name'], detail: 'Give a given_name or a family_name.' }
        : undefined,
  },
).meta({
  id: 'Customer',
  description: 'A person on the account.',
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
