import { z } from 'zod';
import { field } from '../field.ts';
import { CountryCode, Postcode } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { prose, text } from '../text.ts';

/** The new style of a billing address (behaviour 2.10). */
export const BillingAddress = z
  .object({
    country: field(CountryCode, 'The country, as an ISO 3166-1 alpha-2 code in capitals.', 'GB'),
    street_address: field(
      prose(LIMITS.long_text),
      'House number and street, and any lines before them, separated by \\n.',
      'Flat 4\n12 Alder Row',
    ).optional(),
    locality: field(text(LIMITS.name), 'The town or city.', 'Leeds').optional(),
    administrative_area: field(text(LIMITS.name), 'The county, state or province.', 'West Yorkshire').optional(),
    postal_code: field(Postcode, 'The postcode: 2 to 10 letters, digits, spaces and hyphens.', 'LS1 4AP').optional(),
    delivery_point_identifier: field(
      text(LIMITS.short_text),
      "The postal service's own number of the delivery point, such as a UPRN.",
      '100023336956',
    ).optional(),
  })
  .meta({
    id: 'BillingAddress',
    description: 'The billing address in the new style, usable for every country.',
    examples: [
      {
        country: 'GB',
        street_address: 'Flat 4\n12 Alder Row',
        locality: 'Leeds',
        administrative_area: 'West Yorkshire',
        postal_code: 'LS1 4AP',
      },
    ],
  });
export type BillingAddress = z.infer<typeof BillingAddress>;

const line = (number: number, example: string) =>
  field(text(LIMITS.name), `Line ${number} of the billing address, legacy form.`, example).optional();

/** The billing fields of an account: the legacy address and the new style are mutually exclusive. */
export const billingFields = {
  billing_name: field(
    text(LIMITS.billing_name),
    `The name on bills, up to ${limitText(LIMITS.billing_name)} characters.`,
    'Ms Zoë Hartley',
  ).optional(),
  billing_address1: line(1, 'Flat 4'),
  billing_address2: line(2, '12 Alder Row'),
  billing_address3: line(3, 'Headingley'),
  billing_address4: line(4, 'Leeds'),
  billing_address5: line(5, 'West Yorkshire'),
  billing_postcode: field(Postcode, 'The postcode of the billing address, legacy form.', 'LS1 4AP').optional(),
  billing_address: BillingAddress.optional(),
};

/** The field names of the legacy form. */
export const legacyBillingFields = [
  'billing_address1',
  'billing_address2',
  'billing_address3',
  'billing_address4',
  'billing_address5',
  'billing_postcode',
] as const;
