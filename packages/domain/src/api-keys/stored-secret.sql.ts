import { sql } from '@causeway/db';

export const READ_SECRET = sql('read-service-secret', { value: 'text' })`
  SELECT value
  FROM service_secrets
  WHERE name = ${'name'}`;

export const FORGET_SECRET = sql('forget-service-secret')`
  DELETE FROM service_secrets
  WHERE name = ${'name'}`;
