import type { CustomerEmail } from '@causeway/contracts';
import { fragment, narrow, sql } from '@causeway/db';

/** Whether e-mails of a supplier are sent now, in terms of the row `supplier`. */
const IS_SENDING = fragment`supplier.send_customer_emails AND supplier.email_sender IS NOT NULL
    AND supplier.status <> 'PAUSED'`;

/**
 * The suppliers with e-mails to send, and '' if there are some whose sender has ended in the middle. Those of suppliers
 * that are paused, or no longer send, wait.
 */
export const FIND_EMAIL_WORK = sql('find-email-work', { code: 'text' })`
  SELECT code
  FROM import_suppliers AS supplier
  WHERE ${IS_SENDING}
    AND EXISTS (
      SELECT FROM customer_emails
      WHERE import_supplier_code = code AND state = 'QUEUED' AND next_attempt_at <= ${'at'}
    )
  UNION ALL
  SELECT ''
  WHERE EXISTS (SELECT FROM customer_emails WHERE state = 'SENDING' AND lease_until < ${'at'})`;

/** Who was killed while it handed a message over: nobody knows whether the server has taken it. */
export const SET_EMAILS_IN_DOUBT = sql('set-emails-in-doubt', { import_supplier_code: 'text' })`
  UPDATE customer_emails
  SET state = 'IN_DOUBT', lease_until = NULL, updated_at = ${'at'}
  WHERE id IN (
    SELECT id
    FROM customer_emails
    WHERE state = 'SENDING' AND lease_until < ${'at'}
    ORDER BY lease_until
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
  )
  RETURNING import_supplier_code`;

/**
 * Takes messages of a supplier: they are SENDING before anything is said to a server. Those whose address is suppressed
 * are not sent; those that would be too many for their mailbox wait on.
 * - `pace`: the one row that all instances share. Anyone who finds it locked, or too early, takes nothing now. A time that
 *   no slice can have set is of a clock that was wrong.
 * - `picked`: not those that somebody else is taking.
 * - `mailbox`: what it was sent by anyone who had the pace before. `sam+1@` and `sam+2@` are one.
 * - `paced`: as many have the time that so many take, counted from when it was their turn: anyone who came up to 200 ms late
 *   to take them has not lost it.
 */
export const CLAIM_EMAILS = sql('claim-emails', {
  id: 'uuid',
  left_out: narrow<'SUPPRESSED' | 'MAILBOX_LIMIT' | null>('text | null'),
  address: 'text',
  language: 'text | null',
  attempts: 'integer',
  title: 'text | null',
  given_name: 'text | null',
  family_name: 'text | null',
  salutation: 'text | null',
  billing_name: 'text | null',
  company_name: 'text | null',
  service_account_number: 'text',
  external_account_number: 'text',
  template: narrow<CustomerEmail['template']>('text'),
  email_sender: 'text',
  email_unsubscribe: 'text | null',
  paced_until: 'timestamptz',
})`
  WITH pace AS MATERIALIZED (
    SELECT least(greatest(next_at, ${'at'}::timestamptz - interval '200 milliseconds'), ${'at'}::timestamptz) AS turn_at
    FROM email_pace
    WHERE id = 1 AND (next_at <= ${'at'} OR next_at > ${'at'}::timestamptz + interval '2 minutes')
    FOR UPDATE SKIP LOCKED
  ),
  supplier AS MATERIALIZED (
    SELECT code, organisation_id, email_sender, email_unsubscribe
    FROM import_suppliers AS supplier
    WHERE code = ${'code'} AND ${IS_SENDING} AND EXISTS (SELECT FROM pace)
  ),
  picked AS MATERIALIZED (
    SELECT email.id, address_digest, next_attempt_at, lower(regexp_replace(address, '[+][^@]*@', '@')) AS mailbox,
      EXISTS (
        SELECT FROM email_suppressions AS suppression
        WHERE suppression.import_supplier_code = ${'code'} AND suppression.address_digest = email.address_digest
      ) AS is_suppressed
    FROM customer_emails AS email
    WHERE import_supplier_code = (SELECT code FROM supplier) AND state = 'QUEUED' AND next_attempt_at <= ${'at'}
    ORDER BY next_attempt_at
    LIMIT ${'limit'}
    FOR UPDATE SKIP LOCKED
  ),
  mailbox AS MATERIALIZED (
    SELECT mailbox, emails_to_mailbox(mailbox, organisation_id, ${'at'}::timestamptz - interval '24 hours') AS sent
    FROM (SELECT DISTINCT mailbox FROM picked) AS one
    CROSS JOIN supplier
  ),
  judged AS MATERIALIZED (
    SELECT id, CASE
      WHEN is_suppressed THEN 'SUPPRESSED'
      WHEN sent + row_number() OVER (PARTITION BY mailbox, is_suppressed ORDER BY next_attempt_at, id) > ${'per_mailbox'}
        THEN 'MAILBOX_LIMIT'
    END AS left_out
    FROM picked
    JOIN mailbox USING (mailbox)
  ),
  claimed AS (
    UPDATE customer_emails AS email
    SET
      state = (CASE left_out WHEN 'SUPPRESSED' THEN 'NOT_SENT' WHEN 'MAILBOX_LIMIT' THEN 'QUEUED' ELSE 'SENDING' END)
        ::customer_email_state,
      reason = left_out,
      claim = ${'claim'},
      lease_until = CASE WHEN left_out IS NULL THEN ${'lease_until'}::timestamptz END,
      next_attempt_at = CASE WHEN left_out = 'MAILBOX_LIMIT' THEN ${'at'}::timestamptz + interval '1 hour' END,
      attempts = attempts + CASE WHEN left_out IS NULL THEN 1 ELSE 0 END,
      updated_at = ${'at'}
    FROM judged
    WHERE email.id = ANY (ARRAY(SELECT id FROM judged)) AND email.id = judged.id AND email.state = 'QUEUED'
    RETURNING email.*, left_out
  ),
  paced AS (
    UPDATE email_pace
    SET next_at = (SELECT turn_at FROM pace)
      + ${'each_ms'}::double precision * (SELECT count(*) FROM claimed WHERE left_out IS NULL) * interval '1 millisecond'
    WHERE id = 1 AND EXISTS (SELECT FROM claimed)
    RETURNING next_at
  )
  SELECT
    email.id,
    left_out,
    coalesce(email.address, '') AS address,
    email.language,
    email.attempts,
    customer.title,
    customer.given_name,
    customer.family_name,
    customer.details->>'salutation' AS salutation,
    account.billing_name,
    coalesce(customer.details->>'company_name', account.billing_name, account.details #>> '{business,name}')
      AS company_name,
    coalesce(email.undone_number, account.service_account_number, '') AS service_account_number,
    import.external_account_number,
    email.template,
    coalesce(supplier.email_sender, '') AS email_sender,
    supplier.email_unsubscribe,
    paced.next_at AS paced_until
  FROM claimed AS email
  CROSS JOIN supplier
  CROSS JOIN paced
  JOIN account_imports AS import ON import.id = email.account_import_id
  LEFT JOIN accounts AS account
    ON account.account_import_id = email.account_import_id AND email.undone_number IS NULL
  LEFT JOIN customers AS customer
    ON customer.account_import_id = account.account_import_id AND customer.position = email.position`;

/**
 * Gives back what is left of the time of messages that were taken and not heard. Once it is somebody else's turn nothing is
 * left of it.
 */
export const GIVE_TURNS_BACK = sql('give-turns-back')`
  UPDATE email_pace
  SET next_at = least(next_at, ${'at'}::timestamptz)
  WHERE id = 1 AND next_at = ${'paced_until'}`;

/** Why a message that was put off does not wait again. */
const WHY_NOT = fragment`CASE
        WHEN address IS NULL THEN 'ERASED'
        WHEN undone_number IS NOT NULL AND template = 'account_created' THEN 'ACCOUNT_UNDONE'
      END`;

/**
 * What happened to messages, each of the claim that took it: also of one that is in doubt meanwhile. A server that knows no
 * such mailbox puts the address on the suppression list. `is_released`: nothing was said to a server about it, so that
 * it waits again, as if it had not been taken. Takes the calls of a grouped statement.
 */
export const SETTLE_EMAILS = sql('settle-emails', { id: 'uuid', busy: 'boolean' })`
  WITH outcome AS MATERIALIZED (
    SELECT *
    FROM json_to_recordset(${'calls'}::json) AS outcome (
      id uuid,
      claim uuid,
      at timestamptz,
      state customer_email_state,
      answer text,
      template_language text,
      template_version integer,
      template_failure text,
      next_attempt_at timestamptz,
      is_released boolean,
      suppresses boolean
    )
  ),
  settled AS (
    UPDATE customer_emails AS email
    SET
      state = CASE WHEN outcome.state = 'QUEUED' AND ${WHY_NOT} IS NOT NULL THEN 'NOT_SENT' ELSE outcome.state END,
      reason = CASE WHEN outcome.state = 'QUEUED' THEN ${WHY_NOT} END,
      answer = coalesce(CASE WHEN address IS NOT NULL THEN nullif(outcome.answer, '') END, email.answer),
      attempts = attempts - CASE WHEN is_released THEN 1 ELSE 0 END,
      template_language = outcome.template_language,
      template_version = outcome.template_version,
      template_failure = outcome.template_failure,
      lease_until = NULL,
      next_attempt_at = CASE WHEN outcome.state = 'QUEUED' AND ${WHY_NOT} IS NULL THEN outcome.next_attempt_at END,
      sent_at = CASE WHEN outcome.state = 'SENT' THEN at ELSE sent_at END,
      updated_at = at
    FROM outcome
    WHERE email.id = ANY (ARRAY(SELECT id FROM outcome))
      AND email.id = outcome.id
      AND email.claim = outcome.claim
      AND email.state IN ('SENDING', 'IN_DOUBT')
    RETURNING email.id, import_supplier_code, address, address_digest, suppresses, at
  ),
  suppressed AS (
    INSERT INTO email_suppressions (import_supplier_code, address_digest, address, reason, created_at)
    SELECT import_supplier_code, address_digest, address, 'REFUSED', at
    FROM settled
    WHERE suppresses
    ON CONFLICT (import_supplier_code, address_digest) DO NOTHING
  )
  SELECT id, false AS busy FROM settled`;
