import type { DecideRemarkRequest, DecideRemarkResponse } from '@causeway/contracts';
import { sql } from '@causeway/db';
import { AUDITED, auditValues } from '../shared/audit-values.ts';
import type { Context } from '../shared/context.ts';
import { derivedId } from '../shared/derived-id.ts';
import { findImportSupplier } from '../shared/find-import-supplier.ts';

/**
 * Decides about a kind of remark of an import supplier (behaviour 4.18.4), in place of an earlier decision: it is accepted,
 * now and later, or was fixed until now, or is open again. Nothing of any account changes. Refuses with
 * `import_supplier_does_not_exist`.
 */
export async function decideRemark(context: Context, request: DecideRemarkRequest): Promise<DecideRemarkResponse> {
  const { code: import_supplier_code, remark: code, operation, attr, decision, reason } = request;
  await findImportSupplier(context, import_supplier_code, 'code');
  const kind = { import_supplier_code, operation, code, attr, reason };
  const audit = auditValues(context, derivedId('import_supplier', import_supplier_code));
  if (decision === 'OPEN') {
    await context.database.query(OPEN_REMARK, { ...audit, ...kind });
    return { decision: null };
  }
  await context.database.query(DECIDE_REMARK, { ...audit, ...kind, decision });
  return { decision };
}

const DECIDE_REMARK = sql('decide-remark')`
  WITH decided AS (
    INSERT INTO remark_decisions (import_supplier_code, operation, code, attr, decision, reason, decided_at)
    VALUES (${'import_supplier_code'}, ${'operation'}, ${'code'}, ${'attr'}, ${'decision'}, ${'reason'}, ${'at'})
    ON CONFLICT (import_supplier_code, operation, code, attr) DO UPDATE SET
      decision = excluded.decision,
      reason = excluded.reason,
      decided_at = excluded.decided_at
    RETURNING *
  )
  INSERT INTO audit_events ${AUDITED} 'import_supplier', 'remark_decided', jsonb_build_object(
    'operation', operation, 'code', code, 'attr', attr, 'decision', decision, 'reason', reason)
  FROM decided`;

const OPEN_REMARK = sql('open-remark')`
  WITH opened AS (
    DELETE FROM remark_decisions
    WHERE import_supplier_code = ${'import_supplier_code'}
      AND operation = ${'operation'}
      AND code = ${'code'}
      AND attr = ${'attr'}
    RETURNING *
  )
  INSERT INTO audit_events ${AUDITED} 'import_supplier', 'remark_decided', jsonb_build_object(
    'operation', operation, 'code', code, 'attr', attr, 'decision', 'OPEN', 'reason', ${'reason'}::text)
  FROM opened`;
