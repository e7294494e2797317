import type { FastifyInstance } from 'fastify';
import { usableSupplier } from '../shared/callers.ts';
import { type Fields, inTransaction } from '../shared/database.ts';
import { StatementsRequest } from '../shared/payloads.ts';
import { statementDiffers } from '../shared/refusal.ts';
import { audit, lockAccount } from './imports.ts';
import { parse } from './refusals.ts';

const STATEMENT_COLUMNS = `statement_id, bill_period_from_date, bill_period_to_date, issued_date, number, gross_amount,
  statement_path`;

/** Adds historical statements. */
export function statementCalls(app: FastifyInstance): void {
  app.post('/v1/data-import/historical-statements/create', async (request, reply) => {
    const body = parse(StatementsRequest, request.body);
    await usableSupplier(request, body.import_supplier);
    await inTransaction(async (query) => {
      const { id } = await lockAccount(query, body, 400);
      const stored = await query<Fields & { statement_id: string }>(
        'known-statements',
        `SELECT ${STATEMENT_COLUMNS} FROM statements WHERE account_import_id = $1 AND statement_id = ANY ($2::text[])`,
        [id, body.statements.map(({ statement_id }) => statement_id)],
      );
      const known = new Map<string, Fields>(stored.map((statement) => [statement.statement_id, statement]));
      const added: Fields[] = [];
      for (const statement of body.statements) {
        const record: Fields = { ...statement, gross_amount: statement.gross_amount.toFixed(2) };
        const before = known.get(statement.statement_id);
        if (before === undefined) {
          known.set(statement.statement_id, record);
          added.push(record);
        } else if (Object.entries(before).some(([name, value]) => (value ?? null) !== (record[name] ?? null))) {
          throw statementDiffers();
        }
      }
      if (added.length === 0) return;
      await query(
        'statements',
        `INSERT INTO statements (account_import_id, created_at, ${STATEMENT_COLUMNS})
        SELECT $1, $2, record.* FROM json_to_recordset($3::json) AS record (statement_id text, bill_period_from_date date,
          bill_period_to_date date, issued_date date, number text, gross_amount numeric, statement_path text)`,
        [id, new Date(), JSON.stringify(added)],
      );
      await audit(query, request, { id, action: 'statements_imported', detail: { statements: added.length } });
    });
    reply.code(201);
    return body;
  });
}
