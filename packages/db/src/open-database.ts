import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { createPool, type DatabaseOptions } from './create-pool.ts';
import { PrismaClient } from './generated/client.ts';
import { observedPrisma } from './observe-prisma.ts';
import { runOnce } from './run-once.ts';
import { type Queryable, runQuery, runTransaction, type StatementObserver } from './run-transaction.ts';

export interface Database extends Queryable {
  /** For small tables and staff calls. It shares the pool below. */
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
  /**
   * Runs `work` in one transaction. It may run up to 5 times, after deadlocks and lost connections, so it must do
   * nothing but query. Never retried once COMMIT was sent and not answered.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Lets running queries finish, then closes all connections. */
  close(): Promise<void>;
}

interface MoreOptions {
  observer?: StatementObserver | undefined;
  /** False behind a pooler that loses them: each statement is then parsed and planned each time. Default: true. */
  keepsStatements?: boolean;
}

/** Prisma's SQL varies with the number of values, and each connection keeps every named statement permanently. */
const NAMED_TEXTS_LIMIT = 500;

/** Names each of Prisma's SQL texts, so that PostgreSQL keeps its plan; beyond the limit a text stays unnamed. */
function statementNames(limit: number): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= limit) return known ?? '';
    const name = `prisma_${names.size}`;
    names.set(sql, name);
    return name;
  };
}

/**
 * Opens a database: behaviour 15.3. Each session runs in UTC with the given timeouts. It connects at the first query.
 * Errors are those of pg or Prisma: see `isUniqueViolation`, `isConnectionFailure`.
 */
export function openDatabase({
  observer,
  keepsStatements = true,
  ...options
}: DatabaseOptions & MoreOptions): Database {
  const pool = createPool(options);
  const { transactionStatementTimeoutMs } = options;
  const sessions = { pool, observer, keepsStatements, transactionStatementTimeoutMs };
  const names = statementNames(keepsStatements ? NAMED_TEXTS_LIMIT : 0);
  let prisma: PrismaClient | undefined;
  const openPrisma = () => {
    const client = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: names }) });
    return observer ? observedPrisma(client, observer) : client;
  };
  return {
    // Made when it is first asked for: it reads the whole data model, and a lane or a script may never need it.
    get prisma() {
      prisma ??= openPrisma();
      return prisma;
    },
    pool,
    sharing: observer?.sharing,
    query: (statement, values) => runQuery(sessions, statement, values),
    transaction: (work) => runTransaction(sessions, work),
    close: runOnce(async () => {
      await prisma?.$disconnect();
      await pool.end();
    }),
  };
}
