import { sql } from '@causeway/db';
import { HISTORY } from '../account-imports/create-account.sql.ts';
import { IS_NAMED } from '../account-imports/is-named.sql.ts';

/** The number of an account that exists, and whether this is the payload, without history, that it was created from. */
export const EXISTING_ACCOUNT = sql('existing-account', {
  service_account_number: 'text | null',
  has_payload: 'boolean | null',
})`
  SELECT service_account_number, payload - ${HISTORY} = ${'payload'}::jsonb AS has_payload
  FROM account_imports AS import
  WHERE id = ${'id'}
    AND ${IS_NAMED}`;

/** The payment instruction of an account of this type, if it has one. */
export const STORED_INSTRUCTION = sql('stored-payment-instruction', { vendor: 'text' })`
  SELECT vendor
  FROM payment_instructions
  WHERE account_import_id = ${'account_import_id'} AND type = ${'type'}`;
