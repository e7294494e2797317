import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { Uuid } from '../formats.ts';
import { trailLimit } from '../paging.ts';
import { AuditEvent, exampleEvent } from './audit.ts';

const exampleStaffEvent = {
  ...exampleEvent,
  action: 'skipped',
  actor: 'staff',
  person: 'Priya Raman',
  subject: 'account_import',
  subject_id: '0b8f4b8e-5d0a-8f6e-9d0c-2a4f3c1e7b55',
  code: 'NORTHWIND-2026',
  external_account_number: 'NW-0001482',
};

/** Asks what the service team did (behaviour 14.7.4). */
export const ListStaffEventsRequest = z
  .object({
    api_key_id: optional(
      Uuid,
      'Only what was done with this key. Default: with all keys of the service team.',
      exampleEvent.api_key_id,
    ),
    limit: trailLimit('events'),
    before: optional(
      z.string().regex(/^[0-9]{1,18}$/),
      'The id of the last event that you received; the list continues with those before it.',
      exampleEvent.id,
    ),
  })
  .meta({
    id: 'ListStaffEventsRequest',
    description: 'Asks what the service team did, newest first. The input can be left out.',
    examples: [{ limit: 100 }],
  })
  .default({});
export type ListStaffEventsRequest = z.infer<typeof ListStaffEventsRequest>;

/** What somebody of the service team did, and to what. */
export const StaffEvent = AuditEvent.extend({
  subject: field(
    z.string(),
    'What it was done to: account_import, import_supplier, api_key and so on.',
    'account_import',
  ),
  subject_id: field(Uuid, 'Its id.', exampleStaffEvent.subject_id),
  code: field(
    z.string().nullable(),
    'The code of the import supplier, or of that of the account; null of anything else.',
    'NORTHWIND-2026',
  ),
  external_account_number: field(z.string().nullable(), 'The account; null of anything else.', 'NW-0001482'),
}).meta({ id: 'StaffEvent', description: 'What somebody of the service team did.', examples: [exampleStaffEvent] });
export type StaffEvent = z.infer<typeof StaffEvent>;

export const ListStaffEventsResponse = z
  .array(StaffEvent)
  .apply(documented, 'ListStaffEventsResponse', 'The events, newest first.');
