import { type CustomerEmail, LIMITS, type NotSentReason, type TemplateFailure } from '@causeway/contracts';
import { fragment, narrow, rawSql, sql } from '@causeway/db';
import { AUDITED, auditedOf } from '../shared/audit-values.ts';

const COLUMNS = {
  id: 'uuid',
  recipient: 'text',
  template: narrow<CustomerEmail['template']>('text'),
  state: 'customer_email_state',
  reason: narrow<NotSentReason | null>('text | null'),
  answer: 'text | null',
  attempts: 'integer',
  template_language: 'text | null',
  template_version: 'integer | null',
  template_failure: narrow<TemplateFailure | null>('text | null'),
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  next_attempt_at: 'timestamptz | null',
  sent_at: 'timestamptz | null',
} as const;

/** A message without its address, in terms of the row `email`. */
export const EMAIL_FIELDS = fragment`email.id,
    CASE
      WHEN email.position IS NOT NULL THEN 'customers.' || email.position
      WHEN email.address_digest IS NULL AND email.reason <> 'DECEASED' THEN 'account'
      ELSE 'billing_email'
    END AS recipient,
    email.template, email.state, email.reason, email.answer, email.attempts, email.template_language, email.template_version,
    email.template_failure, email.created_at, email.updated_at, email.next_attempt_at, email.sent_at`;

export const LIST_CUSTOMER_EMAILS = sql('list-customer-emails', COLUMNS)`
  SELECT ${EMAIL_FIELDS}
  FROM customer_emails AS email
  WHERE account_import_id = ${'id'}
  ORDER BY position NULLS LAST, id`;

const OF_SUPPLIER = { ...COLUMNS, external_account_number: 'text' } as const;
const SELECT_OF_SUPPLIER = fragment`
  SELECT ${EMAIL_FIELDS}, import.external_account_number
  FROM customer_emails AS email
  JOIN account_imports AS import ON import.id = email.account_import_id
  WHERE email.import_supplier_code = ${'code'}`;

/** Those that wait, the next one first: in the order of the index alone, since many wait for the same time. */
export const LIST_QUEUED_EMAILS = sql('list-queued-emails', OF_SUPPLIER)`${SELECT_OF_SUPPLIER}
    AND email.state = 'QUEUED'
  ORDER BY email.next_attempt_at
  LIMIT ${'limit'}`;

/** Those that are being handed over: a few of each instance. */
export const LIST_SENDING_EMAILS = sql('list-sending-emails', OF_SUPPLIER)`${SELECT_OF_SUPPLIER}
    AND email.state = 'SENDING'
  ORDER BY email.lease_until DESC, email.id
  LIMIT ${'limit'}`;

/** Those that somebody has to look at, in one state or in any, the last first. */
export const LIST_UNSETTLED_EMAILS = sql('list-unsettled-emails', OF_SUPPLIER)`${SELECT_OF_SUPPLIER}
    AND email.state IN ('REFUSED', 'GIVEN_UP', 'IN_DOUBT')
    AND CASE WHEN ${'state'}::text IS NULL THEN true ELSE email.state::text = ${'state'} END
  ORDER BY email.updated_at DESC, email.id DESC
  LIMIT ${'limit'}`;

/** Those that were sent, or were never to be, the last first. The first clause is that of the index. */
export const LIST_SETTLED_EMAILS = sql('list-settled-emails', OF_SUPPLIER)`${SELECT_OF_SUPPLIER}
    AND email.state IN ('SENT', 'NOT_SENT')
    AND email.state = ${'state'}
  ORDER BY email.updated_at DESC, email.id DESC
  LIMIT ${'limit'}`;

/** More than that nobody needs to know exactly. */
const MOST_COUNTED = rawSql(String(LIMITS.list));

export const COUNT_UNSETTLED_EMAILS = sql('count-unsettled-emails', {
  refused: 'integer',
  given_up: 'integer',
  in_doubt: 'integer',
})`
  SELECT
    (count(*) FILTER (WHERE state = 'REFUSED'))::integer AS refused,
    (count(*) FILTER (WHERE state = 'GIVEN_UP'))::integer AS given_up,
    (count(*) FILTER (WHERE state = 'IN_DOUBT'))::integer AS in_doubt
  FROM (
    SELECT state
    FROM customer_emails
    WHERE import_supplier_code = ${'code'} AND state IN ('REFUSED', 'GIVEN_UP', 'IN_DOUBT')
    ORDER BY updated_at DESC
    LIMIT ${MOST_COUNTED}
  ) AS unsettled`;

/**
 * Sends a message again, from the beginning: one that has ended, and has an address that is not suppressed. Without a
 * `sent` row nothing was changed, and the other columns say why.
 */
export const SEND_EMAIL_AGAIN = sql('send-email-again', {
  ...COLUMNS,
  is_changed: 'boolean',
  is_suppressed: 'boolean',
  has_address: 'boolean',
})`
  WITH email AS MATERIALIZED (
    SELECT email.*, EXISTS (
      SELECT FROM email_suppressions AS suppression
      WHERE suppression.import_supplier_code = email.import_supplier_code
        AND suppression.address_digest = email.address_digest
    ) AS is_suppressed
    FROM customer_emails AS email
    WHERE email.id = ${'email'}
    FOR UPDATE
  ),
  sent AS (
    UPDATE customer_emails AS known
    SET state = 'QUEUED', reason = NULL, claim = NULL, attempts = 0, template_failure = NULL, next_attempt_at = ${'at'}, updated_at = ${'at'}
    FROM email
    WHERE known.id = email.id
      AND email.address IS NOT NULL
      AND NOT email.is_suppressed
      AND (email.undone_number IS NULL OR email.template = 'account_undone')
      AND email.state NOT IN ('QUEUED', 'SENDING')
    RETURNING known.*
  ),
  audit AS (
    INSERT INTO audit_events ${auditedOf(rawSql('email.account_import_id'))} 'account_import', 'email_sent_again',
      jsonb_build_object('email', email.id, 'state', email.state)
    FROM sent
    JOIN email USING (id)
  )
  SELECT ${EMAIL_FIELDS}, true AS is_changed, false AS is_suppressed, true AS has_address
  FROM sent AS email
  UNION ALL
  SELECT ${EMAIL_FIELDS}, false, email.is_suppressed, email.address IS NOT NULL
  FROM email
  WHERE NOT EXISTS (SELECT FROM sent)`;

/** That the addresses of a list were shown. */
export const RECORD_SUPPRESSIONS_VIEW = sql('record-suppressions-view')`
  INSERT INTO audit_events ${AUDITED} 'import_supplier', 'email_suppressions_viewed', NULL`;

/** The addresses that get no e-mail of a supplier, all or this one. */
export const LIST_EMAIL_SUPPRESSIONS = sql('list-email-suppressions', {
  id: 'uuid',
  address: 'text | null',
  reason: narrow<'REFUSED' | 'STAFF'>('text'),
  created_at: 'timestamptz',
})`
  SELECT id, address, reason, created_at
  FROM email_suppressions
  WHERE import_supplier_code = ${'code'}
    AND address_digest >= coalesce(sha256(convert_to(lower(${'address'}), 'UTF8')), '')
    AND address_digest <= coalesce(sha256(convert_to(lower(${'address'}), 'UTF8')), decode(repeat('f', 66), 'hex'))
    AND (${'after'}::uuid IS NULL OR (created_at, id) > (
      SELECT created_at, id FROM email_suppressions WHERE id = ${'after'}::uuid
    ))
  ORDER BY created_at, id
  LIMIT ${'limit'}`;

/** Adds an address; one that is there stays. Nothing if there is no such supplier. */
export const ADD_EMAIL_SUPPRESSION = sql('add-email-suppression', {
  id: 'uuid',
  address: 'text | null',
  reason: narrow<'REFUSED' | 'STAFF'>('text'),
  created_at: 'timestamptz',
})`
  WITH added AS (
    INSERT INTO email_suppressions (import_supplier_code, address_digest, address, reason, created_at)
    SELECT code, sha256(convert_to(lower(${'address'}::text), 'UTF8')), ${'address'}, 'STAFF', ${'at'}
    FROM import_suppliers
    WHERE code = ${'code'}
    ON CONFLICT (import_supplier_code, address_digest) DO UPDATE SET address = excluded.address
    RETURNING *
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'import_supplier', 'email_suppression_added',
      jsonb_build_object('suppression', added.id)
    FROM added
  )
  SELECT id, address, reason, created_at FROM added`;

export const REMOVE_EMAIL_SUPPRESSION = sql('remove-email-suppression', { id: 'uuid' })`
  WITH removed AS (
    DELETE FROM email_suppressions
    WHERE id = ${'suppression'} AND import_supplier_code = ${'code'}
    RETURNING id
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'import_supplier', 'email_suppression_removed',
      jsonb_build_object('suppression', removed.id)
    FROM removed
  )
  SELECT id FROM removed`;
