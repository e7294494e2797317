import { type GetAccountImportRequest, LIMITS, type StaffAccountImportDetail } from '@causeway/contracts';
import type { Context } from '../context.ts';
import { utcDatetime } from '../dates.ts';
import { accountImportId } from '../derived-id.ts';
import { accountImportNotFound, staffAccountImport } from './staff-account-import.ts';

/**
 * One account import with its payload and the newest 1,000 events of its audit trail, for the service team (design 7).
 * Refuses with `account_not_found`.
 */
export async function getAccountImport(
  { database }: Context,
  { code, external_account_number }: GetAccountImportRequest,
): Promise<StaffAccountImportDetail> {
  const id = accountImportId(code, external_account_number);
  const [row, events] = await Promise.all([
    database.prisma.accountImport.findFirst({
      where: { id, import_supplier_code: code, external_account_number },
      include: { account: { select: { service_account_number: true } } },
    }),
    database.prisma.auditEvent.findMany({
      where: { subject_id: id },
      orderBy: { id: 'desc' },
      take: LIMITS.audit_trail,
    }),
  ]);
  if (row === null) {
    throw accountImportNotFound();
  }
  return {
    ...staffAccountImport(row),
    payload: row.payload as Record<string, unknown>,
    audit_trail: events.toReversed().map(({ action, actor, api_key_id, request_id, detail, occurred_at }) => ({
      action,
      actor,
      api_key_id,
      request_id,
      detail: detail as Record<string, unknown> | null,
      occurred_at: utcDatetime(occurred_at),
    })),
  };
}
