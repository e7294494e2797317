import { z } from 'zod';
import { optionalList } from '../bounded-list.ts';
import { either } from '../either.ts';
import { documented, field, optional } from '../field.ts';
import { CalendarDate } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { Money, wholeNumber } from '../numbers.ts';
import { prose, text } from '../text.ts';

export const AgedDebt = z
  .object({
    due_date: optional(CalendarDate, 'The day on which the amount was due.', '2025-09-14'),
    debt_amount: field(Money, 'The amount that was due then; at most two decimals.', 84.12),
  })
  .apply(documented, 'AgedDebt', 'A part of a debt and since when it is due.');

const exampleDebt = {
  agency_name: 'Fairway Collections',
  start_date: '2025-12-01',
  campaign: 'EARLY_ARREARS',
  aged_debt: [{ due_date: '2025-09-14', debt_amount: 84.12 }],
};

/** A debt that is being collected (behaviour 2.10). */
export const Debt = z
  .object({
    agency_name: optional(text(LIMITS.name), 'The agency that collects the debt.', 'Fairway Collections'),
    start_date: optional(CalendarDate, 'Since when it collects it.', '2025-12-01'),
    campaign: optional(text(LIMITS.name), 'The campaign of the agency, in your own vocabulary.', 'EARLY_ARREARS'),
    cais_reference: optional(text(LIMITS.name), 'The reference of the debt in the shared credit records.', 'C-88100'),
    is_insolvent: optional(z.boolean(), 'Whether the debtor is insolvent.', false),
    notes: optional(
      prose(LIMITS.debt_notes),
      `Notes about the debt, up to ${limitText(LIMITS.debt_notes)} characters.`,
      'Agreed to pay 20 a month.',
    ),
    aged_debt: optionalList(AgedDebt, LIMITS.nested, 'The parts of the debt by the day on which they were due'),
  })
  .meta({ id: 'Debt', description: 'A debt that is being collected.', examples: [exampleDebt] });

export const DunningPath = z
  .object({
    path_name: field(text(LIMITS.name), 'The name of the dunning path.', 'DOMESTIC_STANDARD'),
    start_date: optional(CalendarDate, 'The day on which the account entered it.', '2026-01-15'),
  })
  .apply(documented, 'DunningPath', 'The steps by which overdue money is asked for.');

export const WarmHomeDiscount = z
  .object({
    account_type: optional(z.enum(['CREDIT', 'PREPAY']), 'How the customer pays: CREDIT or PREPAY.', 'CREDIT'),
    group: optional(z.enum(['CORE', 'BROADER']), 'The group of the scheme: CORE or BROADER.', 'CORE'),
    tax_year: optional(
      either(text(LIMITS.short_text), wholeNumber(1900, 2200)),
      'The tax year of the discount, as a text or a whole number.',
      '2025/26',
    ),
  })
  .apply(documented, 'WarmHomeDiscount', 'A Warm Home Discount of a tax year.');

/** The fields of an account that tell of debt. They are shown in no list, log or metric. */
export const debtFields = {
  debts: optionalList(Debt, LIMITS.nested, 'Debts that are being collected'),
  dunning_path: DunningPath.optional(),
  warm_home_discount: optionalList(WarmHomeDiscount, LIMITS.nested, 'Warm Home Discounts'),
};
