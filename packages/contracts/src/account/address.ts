import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { CountryCode, Postcode } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { prose, text } from '../text.ts';

/** The new style of an address (behaviour 2.10), of bills, supply or a person. */
export const BillingAddress = z
  .object({
    country: field(CountryCode, 'The country, as an ISO 3166-1 alpha-2 code in capitals.', 'GB'),
    street_address: optional(
      prose(LIMITS.long_text),
      'House number and street, and any lines before them, separated by \\n.',
      'Flat 4\n12 Alder Row',
    ),
    locality: optional(text(LIMITS.name), 'The town or city.', 'Leeds'),
    administrative_area: optional(text(LIMITS.name), 'The county, state or province.', 'West Yorkshire'),
    postal_code: optional(Postcode, 'The postcode: 2 to 10 letters, digits, spaces and hyphens.', 'LS1 4AP'),
    delivery_point_identifier: optional(
      text(LIMITS.short_text),
      "The postal service's own number of the delivery point, such as a UPRN.",
      '100023336956',
    ),
  })
  .apply(
    documented,
    'BillingAddress',
    'An address in the new style, usable for every country.',
    'delivery_point_identifier',
  );
export type BillingAddress = z.infer<typeof BillingAddress>;

/** One of the five lines of an address in the legacy form. */
export function addressLine(number: number, of: 'billing' | 'supply', example: string): z.ZodString {
  const description = `Line ${number} of the ${of} address, legacy form, up to ${limitText(LIMITS.address_line)} characters.`;
  return field(text(LIMITS.address_line), description, example);
}
