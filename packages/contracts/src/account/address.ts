import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { CountryCode, Postcode } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import type { Rule } from '../rules.ts';
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

const EXAMPLE_LINES = ['Flat 4', '12 Alder Row', 'Headingley', 'Leeds', 'West Yorkshire'];

type LegacyLine<Of extends string> = `${Of}_address${1 | 2 | 3 | 4 | 5}`;

/** The five lines of an address in the legacy form. */
export function addressLines<Of extends 'billing' | 'supply'>(of: Of) {
  const lines = EXAMPLE_LINES.map((example, index) => {
    const description = `Line ${index + 1} of the ${of} address, legacy form, up to ${limitText(LIMITS.address_line)} characters.`;
    return [`${of}_address${index + 1}`, optional(text(LIMITS.address_line), description, example)];
  });
  return Object.fromEntries(lines) as Record<LegacyLine<Of>, z.ZodOptional<z.ZodString>>;
}

type Addressed<Of extends string> = { [Field in `${Of}_address`]?: BillingAddress | undefined } & {
  [Field in LegacyLine<Of> | `${Of}_postcode`]?: string | undefined;
};

/** An address has one of the two forms. */
export function oneStyleOfAddress<Of extends 'billing' | 'supply'>(of: Of): Rule<Addressed<Of>> {
  const lines = EXAMPLE_LINES.map((_, index) => `${of}_address${index + 1}` as LegacyLine<Of>);
  const legacy = [...lines, `${of}_postcode` as const];
  return {
    reads: [`${of}_address`, ...legacy],
    check: (sent) =>
      sent[`${of}_address`] === undefined || legacy.every((name) => sent[name] === undefined)
        ? undefined
        : {
            code: `${of}_address_new_style_and_legacy`,
            path: [`${of}_address`],
            detail: `Give either ${of}_address or ${of}_address1 to ${of}_address5 and ${of}_postcode, not both.`,
          },
  };
}
