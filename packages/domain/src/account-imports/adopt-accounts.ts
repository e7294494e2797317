import type { AdoptAccountsRequest, AdoptAccountsResponse } from '@causeway/contracts';
import { rawSql, sql } from '@causeway/db';
import { auditedOf, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { utcDatetimeOrNull } from '../shared/dates.ts';
import { accountImportId } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';

/**
 * Says that the platform uses accounts: from now on they are not undone (behaviour 30.2). Waits for an undo in flight; a
 * second call changes nothing. Accounts that do not exist now are answered without a time. Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function adoptAccounts(context: Context, request: AdoptAccountsRequest): Promise<AdoptAccountsResponse> {
  const { code, external_account_numbers: numbers } = request;
  await findImportSupplier(context, code, 'code');
  const ids = numbers.map((number) => accountImportId(code, number));
  const { id: _ofEach, ...audit } = auditValues(context, '');
  await context.database.query(ADOPT_ACCOUNTS, { ...audit, ids, code });
  const adopted = await context.database.query(READ_ADOPTED, { ids, code });
  const times = new Map(
    adopted.map(({ external_account_number, adopted_at }) => [external_account_number, adopted_at]),
  );
  return numbers.map((external_account_number) => ({
    external_account_number,
    adopted_at: utcDatetimeOrNull(times.get(external_account_number) ?? null),
  }));
}

/** Locked in the order of their ids: two calls may name the same accounts in different orders. */
const ADOPT_ACCOUNTS = sql('adopt-accounts')`
  WITH found AS MATERIALIZED (
    SELECT id, state = 'COMPLETED' AND adopted_at IS NULL AS may_be_adopted
    FROM account_imports
    WHERE id = ANY (${'ids'}::uuid[]) AND import_supplier_code IS NOT DISTINCT FROM ${'code'}
    ORDER BY id
    FOR NO KEY UPDATE
  ),
  adopted AS (
    UPDATE account_imports AS import
    SET adopted_at = ${'at'}, updated_at = ${'at'}
    FROM found
    WHERE import.id = found.id AND may_be_adopted
    RETURNING import.id
  )
  INSERT INTO audit_events ${auditedOf(rawSql('id'))} 'account_import', 'adopted', NULL
  FROM adopted`;

const READ_ADOPTED = sql('read-adopted', { external_account_number: 'text', adopted_at: 'timestamptz | null' })`
  SELECT external_account_number, adopted_at
  FROM account_imports
  WHERE id = ANY (${'ids'}::uuid[]) AND import_supplier_code IS NOT DISTINCT FROM ${'code'}`;
