import { z } from 'zod';
import { documented, field, optional } from '../field.ts';
import { UtcDatetime, Uuid } from '../formats.ts';
import { ExternalAccountNumberInPath, ImportSupplierCodeInPath } from '../identifiers.ts';
import { trailLimit } from '../paging.ts';

export const exampleEvent = {
  id: '1042',
  action: 'process_failed',
  actor: 'supplier',
  api_key_id: '6f0f5cf4-4f3e-4d53-8d0c-0a53b1d8a9f1',
  person: null,
  request_id: '3f1c2a34-8a55-4c0e-9b0e-5d4f0a1b2c3d',
  caller_request_id: '01JRZ8M8S4',
  detail: { code: 'operations_team_name_does_not_exist' },
  occurred_at: '2026-04-17T09:30:12Z',
};

/** One line of an audit trail: who did what, when, from which request (behaviour 14.7). */
export const AuditEvent = z
  .object({
    id: field(z.string(), 'The number of the event: later ones have larger numbers.', exampleEvent.id),
    action: field(z.string(), 'What was done.', 'process_failed'),
    actor: field(z.string(), 'Who did it: supplier, staff, or service for its own actions.', 'supplier'),
    api_key_id: field(
      Uuid.nullable(),
      'The API key that was used; null for the service’s own actions.',
      exampleEvent.api_key_id,
    ),
    person: field(
      z.string().nullable(),
      'The person to whom that key was issued; null if it names none.',
      exampleEvent.person,
    ),
    request_id: field(
      z.string(),
      "The service's own id of the request, as in its log; `start` for changes made at start-up.",
      exampleEvent.request_id,
    ),
    caller_request_id: field(
      z.string().nullable(),
      'The caller’s `X-Request-Id`; null if there was none.',
      exampleEvent.caller_request_id,
    ),
    detail: field(
      z.record(z.string(), z.unknown()).nullable(),
      'Details of the action, such as a reason; null if there are none.',
      exampleEvent.detail,
    ),
    occurred_at: field(UtcDatetime, 'When it was done, in UTC.', exampleEvent.occurred_at),
  })
  .apply(documented, 'AuditEvent', 'Who did what, when, from which request.');
export type AuditEvent = z.infer<typeof AuditEvent>;

const exampleId = '0b8f4b8e-5d0a-4f6e-9d0c-2a4f3c1e7b55';
const page = {
  limit: trailLimit('events'),
  after: optional(
    z.string().regex(/^[0-9]{1,18}$/),
    'The id of the last event that you received; the trail continues after it.',
    exampleEvent.id,
  ),
};
const subject = <Subject extends string>(name: Subject) => field(z.literal(name), `Always ${name}.`, name);
const byId = <Subject extends string>(name: Subject) =>
  z
    .object({ subject: subject(name), id: field(Uuid, `The id of the ${name.replace('_', ' ')}.`, exampleId), ...page })
    .meta({ description: `Asks for the trail of one ${name}.`, examples: [{ subject: name, id: exampleId }] });
const code = field(ImportSupplierCodeInPath, 'The code of the import supplier.');

/** The request that reads an audit trail (behaviour 14.7). */
export const ListAuditEventsRequest = z
  .discriminatedUnion('subject', [
    byId('organisation'),
    byId('api_key'),
    byId('operations_team'),
    byId('bulk_job'),
    byId('manifest'),
    byId('reconciliation'),
    byId('webhook_endpoint'),
    z.object({ subject: subject('import_supplier'), code, ...page }).meta({
      description: 'Asks for the trail of one import supplier.',
      examples: [{ subject: 'import_supplier', code: 'NORTHWIND-2026' }],
    }),
    z
      .object({
        subject: subject('account_import'),
        code,
        external_account_number: field(ExternalAccountNumberInPath, "The migrating party's own account number."),
        ...page,
      })
      .meta({
        description: 'Asks for the trail of one account import.',
        examples: [{ subject: 'account_import', code: 'NORTHWIND-2026', external_account_number: 'NW-0001482' }],
      }),
  ])
  .meta({
    id: 'ListAuditEventsRequest',
    description: 'Asks what happened to an organisation, API key, operations team, import supplier or account import.',
    examples: [{ subject: 'import_supplier', code: 'NORTHWIND-2026', limit: 100 }],
  });
export type ListAuditEventsRequest = z.infer<typeof ListAuditEventsRequest>;

export const ListAuditEventsResponse = z
  .array(AuditEvent)
  .apply(documented, 'ListAuditEventsResponse', 'The events, oldest first.');
