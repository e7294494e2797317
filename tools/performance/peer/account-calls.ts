import type { FastifyInstance } from 'fastify';
import { remembered, usableSupplier } from '../shared/callers.ts';
import { inTransaction, type Query, read } from '../shared/database.ts';
import { accountNotFound, alreadyImported, noSuchTeam, nothingStaged, rolledBack } from '../shared/refusal.ts';
import { randomAccountNumber } from '../shared/values.ts';
import { type Account, createAccount } from './create-account.ts';
import * as schemas from './schemas.ts';

const teamOf = remembered(async (name) => {
  const [team] = await read<{ id: string }>('team', 'SELECT id FROM operations_teams WHERE name = $1', [name]);
  if (team === undefined) throw noSuchTeam();
  return team.id;
});

async function readNumber(query: Query, code: string, account: string) {
  const [found] = await query<{ service_account_number: string | null }>(
    'number',
    `SELECT service_account_number FROM account_imports import LEFT JOIN accounts ON account_import_id = import.id
    WHERE import_supplier_code = $1 AND external_account_number = $2`,
    [code, account],
  );
  return found;
}

/** Validates, stages and processes accounts, and answers where they are. */
export function accountCalls(app: FastifyInstance): void {
  const validating = schemas.shaped(schemas.Account, schemas.Account, 'account_failed_validation');
  app.post<{ Body: Account }>('/v1/data-import/validate-account', validating, async (request) => {
    await usableSupplier(request, request.body.import_supplier);
    return request.body;
  });

  const ofImports = '/v1/data-import/account-import-process';
  const staging = schemas.shaped(schemas.Account, schemas.AccountKey, 'account_failed_validation');
  app.post<{ Body: Account }>(`${ofImports}/create-or-update`, staging, async (request, reply) => {
    const { import_supplier, external_account_number } = request.body;
    await usableSupplier(request, import_supplier);
    const [staged] = await read<{ first: boolean }>(
      'stage',
      `INSERT INTO account_imports AS import (import_supplier_code, external_account_number, payload)
      VALUES ($1, $2, $3)
      ON CONFLICT (import_supplier_code, external_account_number)
        DO UPDATE SET payload = excluded.payload, staged_at = excluded.staged_at WHERE NOT import.completed
      RETURNING xmax = 0 AS first`,
      [import_supplier, external_account_number, JSON.stringify(request.body)],
    );
    if (staged === undefined) {
      const known = await readNumber(read, import_supplier, external_account_number);
      throw alreadyImported({ external_account_number, ...known });
    }
    reply.code(staged.first ? 201 : 200);
    return { import_supplier, external_account_number };
  });

  interface ProcessBody {
    import_supplier_code: string;
    external_account_number: string;
    operations_team_name: string;
    dry_run: boolean;
  }
  const processing = schemas.shaped(schemas.Process, schemas.Created);
  app.post<{ Body: ProcessBody }>(`${ofImports}/process`, processing, async (request, reply) => {
    const { import_supplier_code, external_account_number, operations_team_name, dry_run } = request.body;
    await usableSupplier(request, import_supplier_code);
    // Before the transaction: a second connection within it could be one too many.
    const team = await teamOf(operations_team_name);
    const service_account_number = randomAccountNumber();
    await inTransaction(async (query) => {
      const [staged] = await query<{ id: string; completed: boolean; payload: Account }>(
        'staged',
        `SELECT id, completed, payload FROM account_imports
        WHERE import_supplier_code = $1 AND external_account_number = $2 FOR UPDATE`,
        [import_supplier_code, external_account_number],
      );
      if (staged === undefined) throw nothingStaged();
      const { id, completed, payload } = staged;
      if (completed) {
        const known = await readNumber(query, import_supplier_code, external_account_number);
        throw alreadyImported({ external_account_number, ...known });
      }
      await createAccount(query, { id, service_account_number, team }, payload);
      if (dry_run) throw rolledBack();
    });
    reply.code(201);
    return { service_account_number, external_account_number };
  });

  const answered = { schema: { response: { 200: schemas.Status } } };
  const statusPath = '/v1/data-import/account-transfer-status/:code/:account';
  app.get<{ Params: { code: string; account: string } }>(statusPath, answered, async (request) => {
    const { code, account } = request.params;
    await usableSupplier(request, code, 404);
    const found = await readNumber(read, code, account);
    if (found === undefined) throw accountNotFound(404);
    const { service_account_number } = found;
    return service_account_number === null
      ? { status: 'UNKNOWN', service_account_number: '' }
      : { status: 'COMPLETED', service_account_number };
  });
}
