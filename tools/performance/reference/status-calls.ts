import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { usableSupplier } from '../shared/callers.ts';
import { type Fields, read } from '../shared/database.ts';
import { text } from '../shared/payloads.ts';
import { accountNotFound } from '../shared/refusal.ts';
import { accountImportId, lockKey } from './imports.ts';
import { parse } from './refusals.ts';

interface StatusRow extends Fields {
  service_account_number: string | null;
  in_progress: boolean;
}
const StatusParameters = z.object({ code: text(1_024), account: text(1_024) });

/** Answers where the transfer of an account is. */
export function statusCalls(app: FastifyInstance): void {
  app.get('/v1/data-import/account-transfer-status/:code/:account', async (request) => {
    const { code, account } = parse(StatusParameters, request.params);
    await usableSupplier(request, code, 404);
    const id = accountImportId(code, account);
    const readStatus = () =>
      read<StatusRow>(
        'status',
        `SELECT account.service_account_number, CASE WHEN account.account_import_id IS NULL
          THEN NOT pg_try_advisory_xact_lock_shared($4::bigint) ELSE false END AS in_progress
        FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
        WHERE import.id = $1 AND import.import_supplier_code = $2 AND import.external_account_number = $3`,
        [id, code, account, lockKey(id)],
      );
    let [row] = await readStatus();
    if (row?.service_account_number === null && !row.in_progress) [row] = await readStatus();
    if (row === undefined) throw accountNotFound(404);
    const { service_account_number, in_progress } = row;
    if (service_account_number !== null) return { status: 'COMPLETED', service_account_number };
    return { status: in_progress ? 'IN_PROGRESS' : 'UNKNOWN', service_account_number: '' };
  });
}
