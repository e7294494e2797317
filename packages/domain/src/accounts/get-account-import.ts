import { type GetAccountImportRequest, LIMITS, type StaffAccountImportDetail } from '@causeway/contracts';
import { narrow, sql } from '@causeway/db';
import {
  accountImportNotFound,
  STAFF_COLUMNS,
  STAFF_FIELDS,
  staffAccountImport,
} from '../account-imports/staff-account-import.ts';
import { keptFieldsOf, READ_KEPT_FIELDS } from '../kept-fields/kept-fields.ts';
import { openRefusals } from '../refusals/open-refusals.ts';
import { mayOnlyRead, refuseReadOnly } from '../shared/actor.ts';
import { auditEventRecords, LIST_NEWEST_EVENTS } from '../shared/audit-event-records.ts';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import { IS_NAMED } from '../shared/conditions.sql.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { maskAccount, maskKeptFields } from './mask-account.ts';

/**
 * One account import with its payload, its open refusals and the newest 1,000 events of its audit trail, for the
 * service team (behaviour 14.6). The view is recorded as an event before the payload is returned, unless its personal
 * data is masked. Refuses with `account_not_found`, and a key that may only read with `permission_denied` unless masked.
 */
export async function getAccountImport(
  context: Context,
  { code, external_account_number, masked = false }: GetAccountImportRequest,
): Promise<StaffAccountImportDetail> {
  const { database } = context;
  const key = accountKey(code, external_account_number);
  const [[row], events, refusals, [stored]] = await Promise.all([
    database.query(READ_ACCOUNT_IMPORT, key),
    database.query(LIST_NEWEST_EVENTS, { id: key.id, limit: LIMITS.audit_trail }),
    openRefusals(context, key.id),
    database.query(READ_KEPT_FIELDS, { id: key.id }),
  ]);
  if (row === undefined) {
    throw accountImportNotFound();
  }
  const kept = stored?.kept ?? null;
  if (!masked && (row.payload !== null || kept !== null)) {
    refuseReadOnly(context);
    await database.query(RECORD_PAYLOAD_VIEW, auditValues(context, key.id));
  }
  const { payload, ...record } = row;
  const undocumented = keptFieldsOf(kept);
  // Without a payload there is a record anyway.
  const isMasked = masked || mayOnlyRead(context);
  return {
    ...staffAccountImport(record, { masked: isMasked }),
    payload: masked && payload !== null ? maskAccount(payload) : payload,
    undocumented_fields: masked ? maskKeptFields(undocumented) : undocumented,
    complete: row.state === 'COMPLETED' && !refusals.some(({ refused }) => refused),
    refusals,
    audit_trail: auditEventRecords(context, events.toReversed(), { masked: isMasked }),
  };
}

const READ_ACCOUNT_IMPORT = sql('read-account-import', {
  ...STAFF_COLUMNS,
  payload: narrow<Record<string, unknown> | null>('jsonb | null'),
})`
  SELECT ${STAFF_FIELDS}, import.payload
  FROM account_imports AS import
  LEFT JOIN accounts AS account ON account.account_import_id = import.id
  WHERE import.id = ${'id'}
    AND ${IS_NAMED}`;

const RECORD_PAYLOAD_VIEW = sql('record-payload-view')`
  INSERT INTO audit_events ${AUDITED} 'account_import', 'payload_viewed', NULL`;
