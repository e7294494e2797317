import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { LIMITS } from '../limits.ts';
import { prose } from '../text.ts';

const example = {
  person: 'Priya Raman',
  at: '2026-04-17T10:02:40Z',
  note: 'The three accounts are corrected by hand: ticket 4711.',
  covers:
    'The comparison that finished at 2026-04-17T09:30:12Z, DIFFERENT, with 3 differences: not what was changed after it.',
};
const id = field(Uuid, 'The id of the reconciliation.', '019a9d60-51c4-7e0d-8d1f-2b6f0c9a7e11');

/** Signs a reconciliation off (behaviour 24.3). */
export const SignOffRequest = z
  .object({
    id,
    note: field(prose(LIMITS.staff_reason), 'Why it is accepted as it is. It is part of the report.', example.note),
  })
  .apply(
    documented,
    'SignOffRequest',
    'Signs a reconciliation off that is FINISHED, in the name of the person whose key is used.',
  );
export type SignOffRequest = z.infer<typeof SignOffRequest>;

/** Who has accepted the outcome of a reconciliation, and what exactly that covers. */
export const SignOff = z
  .object({
    person: field(z.string(), 'The person who signed it off.', example.person),
    at: field(UtcDatetime, 'When, in UTC.', example.at),
    note: field(z.string(), 'Why it was accepted as it is.', example.note),
    covers: field(z.string(), 'What was signed off, in a sentence.', example.covers),
  })
  .apply(documented, 'SignOff', 'Who has accepted the outcome of a reconciliation.');
export type SignOff = z.infer<typeof SignOff>;

export const SignOffResponse = z
  .object({ id, signed_off: SignOff })
  .apply(documented, 'SignOffResponse', 'The reconciliation is signed off. Its report says so from now on.');
export type SignOffResponse = z.infer<typeof SignOffResponse>;
