import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { LIMITS } from '../limits.ts';
import { text } from '../text.ts';

/** A consent that a customer gave or refused. */
export const Consent = z
  .object({
    type: field(text(LIMITS.short_text), 'What the consent is about, in your own vocabulary.', 'SMART_METER_READING'),
    value: field(
      z.enum(['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING']),
      'What the customer answered: ACCEPTED, REJECTED, UNKNOWN or PENDING.',
      'ACCEPTED',
    ),
    signed_at: optional(UtcDatetime, 'When the customer answered, in UTC.', '2024-03-09T14:05:00Z'),
  })
  .apply(documented, 'Consent', 'A consent that a customer gave or refused.');
