import pg from 'pg';
import { JOURNEY_STATEMENTS, JOURNEY_TRANSACTIONS } from '../load/book.ts';
import type { ScenarioName } from '../load/turn.ts';

/** What writes rows: a scenario, the creation of what is staged already, or a payload that is staged by SQL. */
export type Work = ScenarioName | 'process' | 'insert';

/** The expected contents of the account tables; `pence` is the sum of all transactions. */
export interface Ledger {
  /** Notes what so many iterations have written; `pence` is the sum of their transactions. */
  add(work: Work, completed: number, pence: number): void;
  /** Notes an audit event of a call that writes nothing else. */
  addEvent(): void;
  /** Counts the rows; throws if they do not match the answers. */
  verify(): Promise<void>;
}

const TABLES = [
  ...(['account_imports', 'accounts', 'customers', 'supply_addresses', 'meter_points'] as const),
  ...(['payment_schedules', 'notes', 'transactions', 'statements', 'audit_events', 'pence'] as const),
];
type Table = (typeof TABLES)[number];

const STAGED = { account_imports: 1, audit_events: 1 };
const CREATED = { accounts: 1, customers: 2, supply_addresses: 1, meter_points: 2, payment_schedules: 1 };

const ROWS: Record<Work, Partial<Record<Table, number>>> = {
  validate: {},
  stage: STAGED,
  process: { ...CREATED, audit_events: 1 },
  insert: { account_imports: 1 },
  journey: {
    ...{ ...STAGED, ...CREATED, notes: 2, transactions: JOURNEY_TRANSACTIONS, statements: JOURNEY_STATEMENTS },
    audit_events: 5,
  },
};

const COUNTS = `SELECT ${TABLES.map((table) => `${countOf(table)} AS ${table}`).join(', ')}`;

function countOf(table: Table): string {
  if (table === 'pence') return '(SELECT coalesce(sum(amount) * 100, 0)::bigint FROM transactions)';
  const condition = table === 'audit_events' ? " WHERE subject = 'account_import' AND action NOT LIKE '%refused'" : '';
  return `(SELECT count(*) FROM ${table}${condition})`;
}

/** A ledger of one database: exactly as many rows as answers. */
export function createLedger(name: string, databaseUrl: string, { isAudited }: { isAudited: boolean }): Ledger {
  const tables = TABLES.filter((table) => isAudited || table !== 'audit_events');
  const expected = Object.fromEntries(TABLES.map((table) => [table, 0])) as Record<Table, number>;
  return {
    add(work, completed, pence) {
      for (const table of TABLES) expected[table] += (ROWS[work][table] ?? 0) * completed;
      if (work === 'journey') expected.pence += pence;
    },
    addEvent() {
      expected.audit_events += 1;
    },
    async verify() {
      const client = new pg.Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query<Record<Table, string>>(COUNTS).finally(() => client.end());
      const wrong = tables.filter((table) => Number(rows[0]?.[table]) !== expected[table]);
      if (wrong.length === 0) return;
      const shown = wrong.map((table) => `${table}: ${rows[0]?.[table]} instead of ${expected[table]}`);
      throw new Error(`The rows in the database ${name} are not those of its answers:\n  ${shown.join('\n  ')}`);
    },
  };
}
