import { z } from 'zod';
import { optional } from '../field.ts';
import { CalendarDate, EmailAddress } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { startsBeforeItEnds, withRules } from '../rules.ts';
import { text } from '../text.ts';
import { phone } from './phones.ts';

const exampleAdministrator = { family_name: 'Marsh', role: 'LANDLORD' as const, effective_from: '2019-04-01' };

/** Who looks after a property beside the customer (behaviour 2.10). */
export const PropertyAdministrator = withRules(
  z.object({
    given_name: optional(text(LIMITS.name), 'The given name.', 'Ewan'),
    family_name: optional(text(LIMITS.name), 'The family name, or the name of a company.', 'Marsh'),
    email: optional(
      EmailAddress,
      `The e-mail address, up to ${limitText(LIMITS.email)} characters.`,
      'ewan.marsh@example.com',
    ),
    mobile: phone('The mobile number.', '+44 7700 900321').optional(),
    landline: phone('The landline number.', '0113 496 0777').optional(),
    role: optional(
      z.enum(['LANDLORD', 'PROPERTY_DEVELOPER']),
      'What they are: LANDLORD or PROPERTY_DEVELOPER.',
      'LANDLORD',
    ),
    effective_from: optional(CalendarDate, 'The first day on which they look after it.', '2019-04-01'),
    effective_to: optional(CalendarDate, 'The last day, not before the first.', '2026-12-31'),
  }),
  startsBeforeItEnds('effective_from', 'effective_to'),
).meta({
  id: 'PropertyAdministrator',
  description: 'A landlord or developer who looks after the property.',
  examples: [exampleAdministrator],
});
