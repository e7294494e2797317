import { fragment, sql } from '@causeway/db';

const INSERT_AUDIT = fragment`
  INSERT INTO audit_events (subject_id, subject, action, actor, request_id, detail, occurred_at)
  SELECT id, 'api_key', 'issued', 'service', 'start', '{"label": "first staff key"}', ${'at'}
  FROM inserted
  RETURNING subject_id`;

export const INSERT_GIVEN_KEY = sql('insert-given-staff-key', { subject_id: 'uuid' })`
  WITH inserted AS (
    INSERT INTO api_keys (id, digest, created_at, label)
    VALUES (${'id'}, ${'digest'}, ${'at'}, 'first staff key')
    ON CONFLICT (digest) DO NOTHING
    RETURNING id
  )
  ${INSERT_AUDIT}`;

export const INSERT_GENERATED_KEY = sql('insert-generated-staff-key', { subject_id: 'uuid' })`
  WITH inserted AS (
    INSERT INTO api_keys (id, digest, created_at, label)
    SELECT ${'id'}, ${'digest'}, ${'at'}, 'first staff key'
    WHERE NOT EXISTS (SELECT FROM api_keys WHERE organisation_id IS NULL)
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  )
  ${INSERT_AUDIT}`;
