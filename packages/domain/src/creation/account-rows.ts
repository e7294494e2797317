import { randomInt } from 'node:crypto';
import { type Fragment, fragment, rawSql } from '@causeway/db';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { dayIn } from '../shared/dates.ts';
import type { AccountKey } from '../shared/derived-id.ts';
import { processLockKey, processSlotKey } from '../shared/process-locks.ts';

/**
 * The key of a list that has rows of its own, to leave it out of the details. An empty list has no rows: it stays
 * there, so that it is read back, and not taken for one that was not sent.
 */
function unlessEmpty(object: string, list: string): Fragment {
  return fragment`CASE WHEN ${rawSql(object)}->'${rawSql(list)}' = '[]' THEN '' ELSE '${rawSql(list)}' END`;
}

/**
 * Inserts the rows of new accounts, except for their history, as common table expressions. `completed` has a row for
 * each: the columns of its call, the id of its team, whether its supplier sends e-mails, whether its customers are
 * welcomed (`tells_again`), and its payload without the history.
 * - `account`: `lastStatementBalance` is in terms of `completed`.
 * - `customer_email`: the e-mails of the account, or why there are none (behaviour 29.1); nothing unless the supplier
 *   sends some.
 * - `payment_schedule`: details keep the day LAST, which is no number.
 * - `meter_point`: details keep `identifier` too where `mpxn` was sent, so that both are read back as they were sent.
 */
export function accountRows({ lastStatementBalance }: { lastStatementBalance: Fragment }): Fragment {
  return fragment`account AS (
    INSERT INTO accounts (account_import_id, service_account_number, operations_team_id, account_type, billing_name,
      billing_email, transfer_balance, last_statement_balance, last_billed_to_date, open_statement_from, details,
      payload_size, created_by_job, created_at)
    SELECT id, service_account_number, operations_team_id, payload->>'account_type', payload->>'billing_name',
      payload->>'billing_email', (payload->>'transfer_balance')::numeric,
      ${lastStatementBalance}::numeric,
      (payload->>'last_billed_to_date')::date,
      coalesce((payload->>'last_billed_to_date')::date + 1, today),
      payload - ARRAY['import_supplier', 'external_account_number', 'account_type', 'billing_name', 'billing_email',
        'transfer_balance', 'last_statement_balance', 'last_billed_to_date', ${unlessEmpty('payload', 'customers')},
        ${unlessEmpty('payload', 'supply_addresses')}, ${unlessEmpty('payload', 'payment_schedules')}],
      pg_column_size(payload), job_id, at
    FROM completed
  ),
  customer AS (
    INSERT INTO customers (account_import_id, position, title, given_name, family_name, email, mobile, landline,
      date_of_birth, details)
    SELECT id, position - 1, value->>'title', value->>'given_name', value->>'family_name', value->>'email',
      value->>'mobile', value->>'landline', (value->>'date_of_birth')::date,
      value - ARRAY['title', 'given_name', 'family_name', 'email', 'mobile', 'landline', 'date_of_birth']
    FROM completed,
      jsonb_array_elements(payload->'customers') WITH ORDINALITY AS element (value, position)
  ),
  supply_address AS (
    INSERT INTO supply_addresses (account_import_id, position, supply_address1, supply_address2, supply_address3,
      supply_address4, supply_address5, supply_postcode, customer_at_supply_address_from_date,
      customer_at_supply_address_to_date, is_landlord, details)
    SELECT id, position - 1, value->>'supply_address1', value->>'supply_address2', value->>'supply_address3',
      value->>'supply_address4', value->>'supply_address5', value->>'supply_postcode',
      (value->>'customer_at_supply_address_from_date')::date, (value->>'customer_at_supply_address_to_date')::date,
      (value->>'is_landlord')::boolean,
      value - ARRAY['supply_address1', 'supply_address2', 'supply_address3', 'supply_address4', 'supply_address5',
        'supply_postcode', 'customer_at_supply_address_from_date', 'customer_at_supply_address_to_date', 'is_landlord',
        ${unlessEmpty('value', 'meter_points')}]
    FROM completed,
      jsonb_array_elements(payload->'supply_addresses') WITH ORDINALITY AS element (value, position)
  ),
  meter_point AS (
    INSERT INTO meter_points (account_import_id, supply_address_position, position, identifier, supply_type,
      supply_start_date, mpid, agreements, meters, details)
    SELECT id, address.position - 1, point.position - 1,
      coalesce(point.value->>'identifier', point.value->>'mpxn'), point.value->>'supply_type',
      (point.value->>'supply_start_date')::date, point.value->>'mpid',
      coalesce(point.value->'agreements', '[]'), coalesce(point.value->'meters', '[]'),
      point.value - ARRAY['supply_type', 'supply_start_date', 'mpid', ${unlessEmpty('point.value', 'agreements')},
        ${unlessEmpty('point.value', 'meters')}, CASE WHEN point.value ? 'mpxn' THEN '' ELSE 'identifier' END]
    FROM completed,
      jsonb_array_elements(payload->'supply_addresses') WITH ORDINALITY AS address (value, position),
      jsonb_array_elements(address.value->'meter_points') WITH ORDINALITY AS point (value, position)
  ),
  payment_schedule AS (
    INSERT INTO payment_schedules (account_import_id, position, means, start_date, end_date, frequency, day_of_month,
      amount, details)
    SELECT id, position - 1, value->>'means', (value->>'start_date')::date, (value->>'end_date')::date,
      value->>'frequency', (nullif(value->>'day_of_month', 'LAST'))::integer, (value->>'amount')::numeric,
      value - ARRAY['means', 'start_date', 'end_date', 'frequency', 'amount',
        CASE WHEN value->>'day_of_month' = 'LAST' THEN '' ELSE 'day_of_month' END]
    FROM completed,
      jsonb_array_elements(payload->'payment_schedules') WITH ORDINALITY AS element (value, position)
  ),
  customer_email AS (
    INSERT INTO customer_emails (account_import_id, import_supplier_code, position, address, address_digest, language,
      state, reason, next_attempt_at, created_at, updated_at)
    SELECT id, import_supplier_code, recipient.position, recipient.address,
      sha256(convert_to(lower(recipient.address), 'UTF8')), payload->>'language_preference',
      (CASE WHEN why IS NULL THEN 'QUEUED' ELSE 'NOT_SENT' END)::customer_email_state, why,
      CASE WHEN why IS NULL THEN at END, at, at
    FROM completed
    CROSS JOIN LATERAL customer_email_recipients(payload) AS recipient
    CROSS JOIN LATERAL (
      SELECT coalesce(reason, CASE WHEN NOT tells_again THEN 'NOT_TOLD_AGAIN' END) AS why
    ) AS told
    WHERE sends_emails
  )`;
}

/** A request with the key of its account. */
export interface Creation extends AccountKey {
  operations_team_name: string;
  /** The bulk job that creates it. */
  job_id?: string;
  /** The transaction holds one of its import supplier's slots for it. */
  has_slot?: boolean;
}

/** What both statements take of a creation, with a number drawn for the account. */
export function creationValues(context: Context, creation: Creation) {
  return {
    ...auditValues(context, creation.id),
    ...creation,
    service_account_number: randomServiceAccountNumber(),
    account_lock: processLockKey(creation.id),
    first_slot: processSlotKey(creation.import_supplier_code),
    today: dayIn(context.timeZone, context.clock()),
  };
}

// No I, L, O or U: people read the number out on the telephone (behaviour 2.1).
const NUMBER_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomServiceAccountNumber(): string {
  const characters = Array.from({ length: 8 }, () => NUMBER_ALPHABET[randomInt(NUMBER_ALPHABET.length)]);
  return `A-${characters.join('')}`;
}
