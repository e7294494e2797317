import { z } from 'zod';
import { either } from '../either.ts';
import { documented, field, optional } from '../field.ts';
import { LIMITS, limitText } from '../limits.ts';
import { text } from '../text.ts';

const PHONE_RULE = `Up to ${limitText(LIMITS.phone_number)} characters; must be a possible number in the import supplier's country, or be written with + and a country code.`;

/** `packages/rules` checks whether the number is possible. */
export function phone(description: string, example: string): z.ZodString {
  return field(text(LIMITS.phone_number), `${description} ${PHONE_RULE}`, example);
}

export const LabelledPhoneNumber = z
  .object({
    phone_number: phone('The phone number.', '+44 7700 900456'),
    label: optional(
      text(LIMITS.name),
      `What the number is for, up to ${limitText(LIMITS.name)} characters.`,
      'Daughter',
    ),
  })
  .apply(documented, 'LabelledPhoneNumber', 'A phone number with a label.');

/** A number alone, or with its label. */
export const AlternativePhoneNumber = either(phone('The phone number alone.', '+44 7700 900456'), LabelledPhoneNumber);
