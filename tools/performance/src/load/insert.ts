import pg from 'pg';
import { elementOf } from './array-element.ts';
import { penceOf, transactionOf } from './book.ts';

/** PostgreSQL alone: the rows of the transactions scenario, one statement and one commit per request. */
export interface InsertJob {
  databaseUrl: string;
  /** The ids of accounts that exist; each is used once. */
  accountImportIds: string[];
  transactionsPerAccount: number;
  today: string;
  connections: number;
  warmUpMs: number;
  measureMs: number;
}

export interface InsertResult {
  completed: number;
  pence: number;
  perSecond: number;
}

const COLUMNS = [
  ...['transaction_id', 'transaction_date', 'amount', 'type', 'reason', 'display_note', 'reference', 'payment_type'],
  ...['product_code', 'line_items', 'tax_items'],
];
const TYPES = ['text', 'date', 'numeric', 'text', 'text', 'text', 'text', 'text', 'text', 'jsonb', 'jsonb'];
const ARRAYS = TYPES.map((type, index) => `$${index + 2}::${type}[]`).join(', ');
const INSERT = {
  name: 'insert-transactions',
  text: `INSERT INTO transactions (account_import_id, created_at, ${COLUMNS.join(', ')})
    SELECT $1, now(), record.* FROM unnest(${ARRAYS}) AS record`,
};

/** The columns as array literals, built once for a few accounts: the client's work must not count as PostgreSQL's. */
function literals(job: InsertJob, place: number): string[] {
  const rows = Array.from({ length: job.transactionsPerAccount }, (_, index) => transactionOf(place, index, job.today));
  return COLUMNS.map((column) => `{${rows.map((row) => elementOf(row[column])).join(',')}}`);
}

const PLACES = 8;

export async function runInserts(job: InsertJob): Promise<InsertResult> {
  const prepared = Array.from({ length: PLACES }, (_, place) => literals(job, place));
  const clients = Array.from({ length: job.connections }, () => new pg.Client({ connectionString: job.databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  const measuredFrom = performance.now() + job.warmUpMs;
  const endsAt = measuredFrom + job.measureMs;
  let begun = 0;
  let measured = 0;
  let pence = 0;
  let lastAt = measuredFrom;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < endsAt && begun < job.accountImportIds.length) {
        const place = begun % PLACES;
        const id = job.accountImportIds[begun];
        begun += 1;
        await client.query({ ...INSERT, values: [id, ...(prepared[place] ?? [])] });
        pence += penceOf(place, job.transactionsPerAccount);
        const now = performance.now();
        if (now < measuredFrom || now >= endsAt) continue;
        measured += 1;
        lastAt = now;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  const ranOut = begun === job.accountImportIds.length;
  return { completed: begun, pence, perSecond: (measured * 1000) / (ranOut ? lastAt - measuredFrom : job.measureMs) };
}
