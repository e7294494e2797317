import { z } from 'zod';
import { CustomerEmail } from '../emails/customer-email.ts';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { trailLimit } from '../paging.ts';
import { OpenRefusal } from '../refusals.ts';
import { GetAccountImportRequest } from './account-imports.ts';
import { AuditEvent, exampleEvent } from './audit.ts';

const exampleEntry = { position: '1776421812000-event-1042', at: exampleEvent.occurred_at, event: exampleEvent };

/** The request for what happened to an account import (behaviour 4.16.9). */
export const AccountTimelineRequest = z
  .object({
    ...GetAccountImportRequest.omit({ masked: true }).shape,
    limit: trailLimit('entries'),
    after: optional(
      z.string().regex(/^[0-9]{1,15}-(?:email|event|refusal)-[0-9a-z_ ]{1,100}$/),
      'The `position` of the last entry that you received; the timeline continues after it.',
      exampleEntry.position,
    ),
  })
  .meta({
    id: 'AccountTimelineRequest',
    description: 'Asks what happened to one account import: what was accepted and refused, and its e-mails.',
    examples: [{ code: 'NORTHWIND-2026', external_account_number: 'NW-0001482', limit: 100 }],
  });
export type AccountTimelineRequest = z.infer<typeof AccountTimelineRequest>;

/** What was refused, or reported, last of an operation; resolved or not. */
export const TimelineRefusal = OpenRefusal.extend({
  resolved_at: field(
    UtcDatetime.nullable(),
    'When the operation succeeded after all, or nothing was missing any more; null if it is still open.',
    null,
  ),
}).apply(documented, 'TimelineRefusal', 'The latest refusal of an operation, or a remark, open or resolved.');
export type TimelineRefusal = z.infer<typeof TimelineRefusal>;

/** One entry of a timeline: an event of the audit trail, a refusal, or an e-mail. */
export const TimelineEntry = z
  .object({
    position: field(z.string(), 'The place of the entry: what `after` takes.', exampleEntry.position),
    at: field(
      UtcDatetime,
      'When it happened, in UTC; of a refusal, the last time; of an e-mail, when its state changed.',
      exampleEntry.at,
    ),
    event: optional(AuditEvent, 'The event of the audit trail; absent from the others.'),
    refusal: optional(TimelineRefusal, 'The refusal; absent from the others.'),
    email: optional(CustomerEmail, 'The e-mail as it is now; absent from events and refusals.'),
  })
  .meta({
    id: 'TimelineEntry',
    description: 'Something that happened to an account import: an event of its audit trail, a refusal, or an e-mail.',
    examples: [exampleEntry],
  });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const AccountTimelineResponse = z
  .array(TimelineEntry)
  .apply(documented, 'AccountTimelineResponse', 'The entries, oldest first.');
