import { type GetAccountImportRequest, LIMITS, type StaffAccountImportDetail } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { accountImportNotFound, STAFF_RECORD, staffAccountImport } from '../account-imports/staff-account-import.ts';
import { keptFieldsOf, READ_KEPT_FIELDS } from '../kept-fields/kept-fields.ts';
import { openRefusals } from '../refusals/open-refusals.ts';
import { auditEventRecords } from '../shared/audit-event-records.ts';
import { AUDIT_COLUMNS, AUDIT_VALUES, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { accountKey } from '../shared/derived-id.ts';
import { mayOnlyRead, refuseReadOnly } from '../shared/read-only.ts';
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
  const [row, events, refusals, [stored]] = await Promise.all([
    database.prisma.accountImport.findFirst({
      where: key,
      ...STAFF_RECORD,
      omit: { kept_fields: true },
    }),
    database.prisma.auditEvent.findMany({
      where: { subject_id: key.id },
      orderBy: { id: 'desc' },
      take: LIMITS.audit_trail,
    }),
    openRefusals(context, key.id),
    database.query(READ_KEPT_FIELDS, { id: key.id }),
  ]);
  if (row === null) {
    throw accountImportNotFound();
  }
  const kept = stored?.kept ?? null;
  if (!masked && (row.payload !== null || kept !== null)) {
    refuseReadOnly(context);
    await database.query(RECORD_PAYLOAD_VIEW, auditValues(context, key.id));
  }
  const payload = row.payload as Record<string, unknown> | null;
  const undocumented = keptFieldsOf(kept);
  // Without a payload there is a record all the same.
  const isMasked = masked || mayOnlyRead(context);
  return {
    ...staffAccountImport(row, { masked: isMasked }),
    payload: masked && payload !== null ? maskAccount(payload) : payload,
    undocumented_fields: masked ? maskKeptFields(undocumented) : undocumented,
    complete: row.state === 'COMPLETED' && !refusals.some(({ refused }) => refused),
    refusals,
    audit_trail: await auditEventRecords(context, events.toReversed(), { masked: isMasked }),
  };
}

const RECORD_PAYLOAD_VIEW = sql('record-payload-view')`
  INSERT INTO audit_events (${AUDIT_COLUMNS}, subject, action)
  VALUES (${AUDIT_VALUES}, 'account_import', 'payload_viewed')`;
