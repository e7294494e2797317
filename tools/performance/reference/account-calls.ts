import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { usableSupplier } from '../shared/callers.ts';
import { inTransaction } from '../shared/database.ts';
import { AccountPayload, ProcessRequest } from '../shared/payloads.ts';
import { noSuchTeam, Refusal, rolledBack } from '../shared/refusal.ts';
import { randomAccountNumber } from '../shared/values.ts';
import { createAccount } from './create-account.ts';
import { accountImportId, audit, lockKey, ongoingSupplier, refuseUnlessPending } from './imports.ts';
import { checkAccount, parse } from './refusals.ts';

async function validAccount(request: FastifyRequest): Promise<z.output<typeof AccountPayload>> {
  const payload = parse(AccountPayload, request.body, 'account_failed_validation');
  const supplier = await usableSupplier(request, payload.import_supplier);
  checkAccount(payload, supplier.country);
  return payload;
}

/** Validates, stages and processes accounts. */
export function accountCalls(app: FastifyInstance): void {
  app.post('/v1/data-import/validate-account', (request) => validAccount(request));

  app.post('/v1/data-import/account-import-process/create-or-update', async (request, reply) => {
    const payload = await validAccount(request);
    const { import_supplier, external_account_number } = payload;
    const id = accountImportId(import_supplier, external_account_number);
    const first = await inTransaction(async (query) => {
      await ongoingSupplier(query, import_supplier);
      const [staged] = await query<{ times_staged: number }>(
        'stage',
        `INSERT INTO account_imports AS import
          (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
        VALUES ($1, $2, $3, 'STAGED', $4, $5, $5)
        ON CONFLICT (id) DO UPDATE SET state = 'STAGED', payload = excluded.payload,
          times_staged = import.times_staged + 1, last_error = NULL, failed_at = NULL, updated_at = excluded.updated_at
        WHERE import.state IN ('STAGED', 'FAILED') AND import.import_supplier_code = excluded.import_supplier_code
          AND import.external_account_number = excluded.external_account_number
        RETURNING times_staged`,
        [id, import_supplier, external_account_number, JSON.stringify(payload), new Date()],
      );
      if (staged === undefined) {
        const sql = 'SELECT state, external_account_number AS number FROM account_imports WHERE id = $1';
        const [row] = await query<{ state: string; number: string }>('state', sql, [id]);
        await refuseUnlessPending(query, id, row);
        throw new Error('An account import was not staged although it is pending');
      }
      await audit(query, request, { id, action: staged.times_staged === 1 ? 'staged' : 'staged_again' });
      return staged.times_staged === 1;
    });
    reply.code(first ? 201 : 200);
    return { import_supplier, external_account_number };
  });

  app.post('/v1/data-import/account-import-process/process', async (request, reply) => {
    const body = parse(ProcessRequest, request.body);
    const { import_supplier_code: code, external_account_number, operations_team_name } = body;
    await usableSupplier(request, code);
    const id = accountImportId(code, external_account_number);
    const service_account_number = randomAccountNumber();
    await inTransaction(async (query) => {
      await query('process-lock', 'SELECT pg_advisory_xact_lock($1::bigint)', [lockKey(id)]);
      const { process_concurrency_limit: limit } = await ongoingSupplier(query, code);
      const [staged] = await query<{ state: string; number: string; payload: z.output<typeof AccountPayload> }>(
        'staged',
        `SELECT state, external_account_number AS number, payload FROM account_imports
        WHERE id = $1 AND import_supplier_code = $2 AND external_account_number = $3 FOR UPDATE`,
        [id, code, external_account_number],
      );
      await refuseUnlessPending(query, id, staged);
      const teamSql = 'SELECT id FROM operations_teams WHERE name = $1';
      const [team] = await query<{ id: string }>('team', teamSql, [operations_team_name]);
      if (team === undefined) throw noSuchTeam();
      if (limit !== null) {
        const sql = `SELECT FROM generate_series(1, $2::int) AS slot WHERE pg_try_advisory_xact_lock(hashtext($1), slot) LIMIT 1`;
        const slots = await query('slot', sql, [code, limit]);
        if (slots.length === 0) throw new Refusal(429, 'concurrency_limit_exceeded', 'Too many accounts at once.');
      }
      if (staged !== undefined)
        await createAccount(query, { id, service_account_number, team: team.id }, staged.payload);
      await audit(query, request, { id, action: 'processed', detail: { service_account_number } });
      if (body.dry_run) throw rolledBack();
    });
    reply.code(201);
    return { service_account_number, external_account_number };
  });
}
