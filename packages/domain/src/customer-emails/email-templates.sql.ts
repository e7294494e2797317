import { sql } from '@causeway/db';
import { AUDITED } from '../shared/audit-values.ts';

/**
 * Adds the next version of a template; none if there is no such supplier. Two at the same time wait for each other: the
 * supplier's row is locked.
 */
export const SET_EMAIL_TEMPLATE = sql('set-email-template', { version: 'integer' })`
  WITH supplier AS MATERIALIZED (
    SELECT code FROM import_suppliers WHERE code = ${'code'} FOR NO KEY UPDATE
  ),
  added AS (
    INSERT INTO email_templates (import_supplier_code, language, version, subject, text_body, html_body, created_by,
      created_at)
    SELECT code, ${'language'}, next_email_template_version(code, ${'language'}), ${'subject'}, ${'text'}, ${'html'},
      ${'api_key_id'}, ${'at'}
    FROM supplier
    RETURNING version
  ),
  audit AS (
    INSERT INTO audit_events ${AUDITED} 'import_supplier', 'email_template_set',
      jsonb_build_object('language', ${'language'}::text, 'version', version)
    FROM added
  )
  SELECT version FROM added`;

const COLUMNS = {
  language: 'text',
  version: 'integer',
  subject: 'text',
  person: 'text | null',
  created_at: 'timestamptz',
} as const;

/** The last version of each language. */
export const CURRENT_EMAIL_TEMPLATES = sql('current-email-templates', {
  ...COLUMNS,
  text_body: 'text',
  html_body: 'text',
})`
  SELECT DISTINCT ON (language) language, version, subject, key.person, template.created_at, text_body, html_body
  FROM email_templates AS template
  JOIN api_keys AS key ON key.id = created_by
  WHERE import_supplier_code = ${'code'}
  ORDER BY language, version DESC`;

export const FIND_EMAIL_TEMPLATE = sql('find-email-template', { ...COLUMNS, text_body: 'text', html_body: 'text' })`
  SELECT language, version, subject, key.person, template.created_at, text_body, html_body
  FROM email_templates AS template
  JOIN api_keys AS key ON key.id = created_by
  WHERE import_supplier_code = ${'code'} AND language = ${'language'} AND version = ${'version'}`;

export const LIST_EMAIL_TEMPLATES = sql('list-email-templates', COLUMNS)`
  SELECT language, version, subject, key.person, template.created_at
  FROM email_templates AS template
  JOIN api_keys AS key ON key.id = created_by
  WHERE import_supplier_code = ${'code'}
  ORDER BY template.created_at DESC, language, version DESC
  LIMIT ${'limit'}`;

/** Who the e-mails of a supplier are from. */
export const FIND_EMAIL_SENDER = sql('find-email-sender', {
  email_sender: 'text | null',
  email_unsubscribe: 'text | null',
})`
  SELECT email_sender, email_unsubscribe
  FROM import_suppliers
  WHERE code = ${'code'}`;
