import { z } from 'zod';
import { optional } from '../field.ts';
import { DateOrDatetime } from '../formats.ts';
import { LIMITS, limitText } from '../limits.ts';
import { startsBeforeItEnds, withRules } from '../rules.ts';
import { prose, text } from '../text.ts';

const code = (description: string, example: string) => optional(text(LIMITS.short_text), description, example);

/** An entry on the priority services register (behaviour 2.10). */
export const PriorityService = withRules(
  z.object({
    code: code(
      'The code of the need on the priority services register. Required unless `elec_industry_code` or `gas_industry_code` is given.',
      '20',
    ),
    elec_industry_code: code("The electricity industry's code of the need.", '20'),
    gas_industry_code: code("The gas industry's code of the need.", '03'),
    description: optional(text(LIMITS.name), 'The need in words.', 'Blind'),
    additional_information: optional(
      prose(LIMITS.long_text),
      `What else is to be known, up to ${limitText(LIMITS.long_text)} characters.`,
      'Please knock loudly.',
    ),
    effective_from: optional(DateOrDatetime, 'The first day of the need, as a date or datetime.', '2021-11-02'),
    effective_to: optional(
      DateOrDatetime,
      'The last day of the need, as a date or datetime, not before the first; leave it out while it lasts.',
      '2027-11-01',
    ),
  }),
  {
    reads: ['code', 'elec_industry_code', 'gas_industry_code'],
    check: ({ code, elec_industry_code, gas_industry_code }) =>
      (code ?? elec_industry_code ?? gas_industry_code)
        ? undefined
        : { code: 'required', path: ['code'], detail: 'Give a code, an elec_industry_code or a gas_industry_code.' },
  },
  startsBeforeItEnds('effective_from', 'effective_to'),
).meta({
  id: 'PriorityService',
  description: 'A need of the customer that is on the priority services register.',
  examples: [{ code: '20', effective_from: '2021-11-02' }],
});
