import type { Defect } from './defect.ts';

/** What an account gets, and how often. */
export const ACCOUNT_DEFECTS: readonly Defect[] = [
  {
    name: 'money is cut to pence in floating point',
    ...{ row: 2, size: 100 },
    file: 'packages/domain/src/transactions/decide-transactions.ts',
    find: 'moneyText(transaction.amount)',
    replace: '(Math.floor(Number(transaction.amount) * 100) / 100).toFixed(2)',
  },
  {
    name: 'staging again resets an account that was imported',
    ...{ row: 2, size: 100 },
    file: 'packages/domain/src/account-imports/stage-account.sql.ts',
    find: "import.state IN ('STAGED', 'FAILED', 'UNDONE')",
    replace: "import.state IN ('STAGED', 'FAILED', 'COMPLETED')",
  },
  {
    name: 'an account that carries its history gets its transactions twice',
    ...{ row: 2, size: 100 },
    file: 'packages/domain/src/creation/create-bundle.sql.ts',
    find: 'FROM completed, json_to_recordset(transactions)',
    replace: 'FROM completed, generate_series(1, 2), json_to_recordset(transactions)',
  },
  {
    name: 'an account that is taken back is created again without what was added to it later',
    ...{ row: 2, size: 100 },
    file: 'prisma/migrations/20261129170000_undo_accounts/migration.sql',
    find: '"account"."revision" = 0 AND "import"."payload"',
    replace: '"import"."payload"',
  },
  {
    name: 'an account is read by its name alone, no matter whose it is',
    ...{ row: 11, size: 1 },
    file: 'packages/domain/src/accounts/read-account.ts',
    find: "  await findImportSupplier(context, import_supplier_code, 'import_supplier_code');\n",
    replace: '',
  },
  {
    name: 'the limit is counted, then a slot is taken',
    ...{ row: 27, size: 1 },
    file: 'packages/domain/src/creation/create-account.sql.ts',
    find: 'pg_try_advisory_xact_lock(first_slot + number)',
    replace: `first_slot + number IS NOT NULL AND checked.process_concurrency_limit > (SELECT count(DISTINCT pid)
        FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711)`,
  },
  {
    name: 'commits are acknowledged before they are written: synchronous_commit=off',
    ...{ row: 4, size: 3 },
    file: 'packages/db/src/session-settings.ts',
    find: "TimeZone: 'UTC',",
    replace: "TimeZone: 'UTC',\n    synchronous_commit: 'off',",
  },
  {
    name: 'an Idempotency-Key is ignored',
    ...{ row: 4, size: 50 },
    file: 'apps/api/src/rest/mount.ts',
    find: "if (typeof key === 'string') context.idempotencyKey = key;",
    replace: "if (key === '') context.idempotencyKey = key;",
  },
  {
    name: 'calls that share a statement: an account gets the transactions of the calls before it too',
    ...{ row: 4, size: 2 },
    file: 'packages/domain/src/imports/statement.sql.ts',
    find: 'BETWEEN first_record AND last_record',
    replace: 'BETWEEN 1 AND last_record',
  },
];
