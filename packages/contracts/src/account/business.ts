import { z } from 'zod';
import { within } from '../any-json.ts';
import { optionalList } from '../bounded-list.ts';
import { documented, field, optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { startsBeforeItEnds, withRules } from '../rules.ts';
import { prose, text } from '../text.ts';

/** The business of the account (behaviour 2.10). Its other fields are kept as they are sent. */
export const Business = z
  .object({
    business_type: optional(text(LIMITS.short_text), 'The legal form, in your own vocabulary.', 'LIMITED_COMPANY'),
    name: optional(
      text(LIMITS.billing_name),
      'The registered name. An account that has it needs no customers.',
      'Hartley Bakeries Ltd',
    ),
    company_number: optional(text(LIMITS.short_text), 'The number in the register of companies.', '08812345'),
  })
  .catchall(z.unknown())
  .check(within({ bytes: LIMITS.business_bytes, fields: LIMITS.business_fields }))
  .meta({
    id: 'Business',
    description: `The business of the account: these fields and any others, up to ${limitText(LIMITS.business_fields)} in all and ${limitText(LIMITS.business_bytes)} bytes as JSON. All are kept as they are sent.`,
    maxProperties: LIMITS.business_fields,
    examples: [{ business_type: 'LIMITED_COMPANY', name: 'Hartley Bakeries Ltd', company_number: '08812345' }],
  });

export const Portfolio = z
  .object({
    identifier: field(text(LIMITS.name), 'Your own identifier of the portfolio.', 'P-771'),
    role: optional(text(LIMITS.short_text), 'What the account is in it, in your own vocabulary.', 'LEAD'),
    collective_billing: optional(z.boolean(), 'Whether the accounts of the portfolio are billed together.', true),
  })
  .apply(documented, 'Portfolio', 'The portfolio that the account belongs to.');

export const AccountCampaign = withRules(
  z.object({
    slug: field(text(LIMITS.name), 'The short name of the campaign.', 'winter-advice-2026'),
    start_date: optional(CalendarDate, 'The first day of the campaign.', '2025-11-01'),
    expiry_date: optional(CalendarDate, 'The last day of the campaign, not before the first.', '2026-03-31'),
    note: optional(prose(LIMITS.long_text), `A note, up to ${limitText(LIMITS.long_text)} characters.`, 'Letter sent.'),
  }),
  startsBeforeItEnds('start_date', 'expiry_date'),
).meta({
  id: 'AccountCampaign',
  description: 'A campaign that the account takes part in.',
  examples: [{ slug: 'winter-advice-2026', start_date: '2025-11-01', expiry_date: '2026-03-31' }],
});

/** The fields of an account that tell of a business, its portfolio and campaigns. */
export const businessFields = {
  business: Business.optional(),
  portfolio: Portfolio.optional(),
  account_campaigns: optionalList(AccountCampaign, LIMITS.nested, 'Campaigns that the account takes part in'),
};
