import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase } from '@causeway/db';
import { accountImportId } from '@causeway/domain';
import { type RunnerOptions, startRunner } from '../src/index.ts';
import { contextOf, NOW } from './context-of.ts';

const FIGURES = [
  'transfer_balance',
  'notes',
  'transactions',
  'transactions_sum',
  'by_type',
  'statements',
  'statements_gross',
  'payment_instruction',
  'fingerprint',
] as const;
/** What a manifest claims of an account. */
export type Claims = Partial<Record<(typeof FIGURES)[number], unknown>>;

interface Setup {
  owner: Database;
  url: string;
  created_by: string;
}

/** Manifests and reconciliations as the service stores them. */
export function startReconciliations({ owner, url, created_by }: Setup) {
  async function reconciliationOf(id: string) {
    const { rows } = await owner.pool.query('SELECT * FROM reconciliations WHERE id = $1', [id]);
    return rows[0];
  }

  return {
    reconciliationOf,
    async putManifest(code: string, accounts: Readonly<Record<string, Claims>>): Promise<string> {
      const id = randomUUID();
      const numbers = Object.keys(accounts);
      await owner.pool.query(
        `INSERT INTO manifests (id, import_supplier_code, source_system, as_of, state, totals, accounts,
           computed_from_book, digest, lodged_before_load, created_by, created_at, sealed_by, sealed_at)
         VALUES ($1, $2, 'Billing', $5, 'SEALED', '{}', $3, false, sha256('x'), true, $4, $5, $4, $5)`,
        [id, code, numbers.length, created_by, NOW],
      );
      const lines = numbers.map((number) => ({
        ...{ manifest_id: id, account_import_id: accountImportId(code, number), part: 1 },
        ...{ external_account_number: number, ...accounts[number] },
      }));
      await owner.pool.query(
        'INSERT INTO manifest_accounts SELECT * FROM json_populate_recordset(NULL::manifest_accounts, $1)',
        [JSON.stringify(lines)],
      );
      return id;
    },
    /** A reconciliation that waits for anyone who comes, with ranges of equal width. */
    async putReconciliation(code: string, manifest_id: string, ranges = 1): Promise<string> {
      const id = randomUUID();
      await owner.pool.query(
        `INSERT INTO reconciliations (id, import_supplier_code, manifest_id, created_by, created_at)
         VALUES ($1, $2, $3, $4, $5)`,
        [id, code, manifest_id, created_by, NOW],
      );
      const start = (number: number) =>
        `${Math.floor((number / ranges) * 2 ** 32)
          .toString(16)
          .padStart(8, '0')}-0000-0000-0000-000000000000`;
      for (let number = 0; number < ranges; number += 1) {
        await owner.pool.query(
          'INSERT INTO reconciliation_ranges (reconciliation_id, number, from_id, to_id) VALUES ($1, $2, $3, $4)',
          [id, number + 1, start(number), number + 1 === ranges ? null : start(number + 1)],
        );
      }
      return id;
    },
    async differencesOf(id: string): Promise<Record<string, unknown>[]> {
      const { rows } = await owner.pool.query(
        `SELECT external_account_number AS number, kind, field, expected, actual, detail
         FROM reconciliation_differences WHERE reconciliation_id = $1 ORDER BY external_account_number, field`,
        [id],
      );
      return rows;
    },
    /** Works until the reconciliation has its verdict. */
    async reconcile(id: string, runner: Partial<RunnerOptions> = {}) {
      const own = openDatabase({ url, poolSize: 4, statementTimeoutMs: 60_000 });
      const dependencies = { ...contextOf(own), maxLineBytes: 1_000_000, startedAt: NOW };
      const report = { log: () => undefined, countLines: () => undefined, countChunk: () => undefined };
      const { stop } = startRunner({ lanes: 2, report, ...runner, dependencies });
      try {
        while ((await reconciliationOf(id)).state !== 'FINISHED') await delay(20);
        return reconciliationOf(id);
      } finally {
        await stop();
        await own.close();
      }
    },
  };
}
