import type { AccountPayload, StageAccountResponse } from '@causeway/contracts';
import { keptWith } from '../kept-fields/kept-fields.ts';
import { reportAccount } from '../refusals/report-remarks.ts';
import { reportRows } from '../refusals/settle.ts';
import { auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { type AccountKey, accountKey } from '../shared/derived-id.ts';
import {
  findImportSupplier,
  type ImportSupplierConfiguration,
  migrationNotOngoing,
} from '../shared/find-import-supplier.ts';
import { groupedStatement } from '../shared/grouped-statement.ts';
import { inMajorUnit } from '../statements/decide-statements.ts';
import { changedAllTheTime, MAX_ATTEMPTS, refuseUnlessPending } from './refuse-unless-pending.ts';
import { STAGE_ACCOUNTS } from './stage-account.sql.ts';

/** Whether this was the account's first staging (201) or replaced an earlier one (200). */
export interface StagedAccount {
  response: StageAccountResponse;
  /** 1 the first time. */
  timesStaged: number;
}

const stageTogether = groupedStatement(STAGE_ACCOUNTS);

/**
 * Stores the validated payload without creating the account; staging again replaces it, what was kept with it and what
 * was reported of it (behaviour 4.2, 2.2.12, 4.17.14). A failed
 * attempt becomes pending again, and so does an account that was undone. If it is refused, nothing changes. Refuses with `import_supplier_does_not_exist`,
 * `import_supplier_migration_not_ongoing`, `account_import_process_already_imported` and
 * `account_import_process_skipped`.
 */
export async function stageAccount(context: Context, payload: AccountPayload): Promise<StagedAccount> {
  const { import_supplier, external_account_number } = payload;
  const supplier = await findImportSupplier(context, import_supplier, 'import_supplier');
  const key = accountKey(import_supplier, external_account_number);
  const call = stagingCall({ context, supplier, key }, payload);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const row = await stageTogether(context.database, call);
    if (row?.supplier_status !== 'ONGOING') {
      throw migrationNotOngoing(row?.supplier_status, 'import_supplier');
    }
    if (row.times_staged !== null) {
      return { response: { import_supplier, external_account_number }, timesStaged: row.times_staged };
    }
    // If it returns, the account has become pending since the statement read it.
    await refuseUnlessPending(context.database, key, call.payload);
  }
  throw changedAllTheTime();
}

/** Who stages an account, and which. */
interface Staging {
  context: Context;
  supplier: ImportSupplierConfiguration;
  key: AccountKey;
}

/** What `STAGE_ACCOUNTS` takes of one call. */
export function stagingCall({ context, supplier, key }: Staging, payload: AccountPayload) {
  const audit = auditValues(context, key.id);
  const reports = reportAccount(context.remarks);
  const reported = reportRows({ ...audit, ...key, operation: 'stage', reports });
  return { ...audit, ...key, payload: storedPayload(payload, supplier), ...keptWith(context), ...reported };
}

/**
 * The payload as it is staged: the amounts of its statements are in the major unit. They are converted now, so that a
 * later change of the import supplier's setting does not change what was meant.
 */
export function storedPayload(payload: AccountPayload, supplier: ImportSupplierConfiguration): AccountPayload {
  return payload.statements === undefined
    ? payload
    : { ...payload, statements: inMajorUnit(payload.statements, supplier) };
}
