import { narrow, sql } from '@causeway/db';

/** What was done with the keys of the service team, newest first: of each key a range of their index. */
export const LIST_STAFF_EVENTS = sql('list-staff-events', {
  id: 'bigint',
  action: 'text',
  api_key_id: 'uuid | null',
  person: 'text | null',
  request_id: 'text',
  caller_request_id: 'text | null',
  detail: narrow<Record<string, unknown> | null>('jsonb | null'),
  occurred_at: 'timestamptz',
  subject: 'text',
  subject_id: 'uuid',
  code: 'text | null',
  external_account_number: 'text | null',
})`
  SELECT
    event.id,
    event.action,
    event.api_key_id,
    event.person,
    event.request_id,
    event.caller_request_id,
    event.detail,
    event.occurred_at,
    event.subject,
    event.subject_id,
    import.import_supplier_code AS code,
    import.external_account_number
  FROM (
    SELECT recent.*, key.person
    FROM api_keys AS key
    CROSS JOIN LATERAL (
      SELECT *
      FROM audit_events
      WHERE actor = 'staff' AND api_key_id = key.id AND id < ${'before'}
      ORDER BY id DESC
      LIMIT ${'limit'}
    ) AS recent
    WHERE key.organisation_id IS NULL AND (${'api_key_id'}::uuid IS NULL OR key.id = ${'api_key_id'})
    ORDER BY recent.id DESC
    LIMIT ${'limit'}
  ) AS event
  LEFT JOIN account_imports AS import ON event.subject = 'account_import' AND import.id = event.subject_id
  ORDER BY event.id DESC`;
