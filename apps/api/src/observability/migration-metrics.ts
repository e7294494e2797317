import type { MigrationCounts, WebhookCounts } from '@causeway/domain';
import { Gauge, type Registry } from 'prom-client';

/** What only the database knows. */
export interface DatabaseCounts {
  /** How far each import supplier's migration has come, the largest first. */
  migrations: readonly MigrationCounts[];
  /** Migrations of the schema. */
  schema: { applied: number; pending: number };
  webhooks: WebhookCounts;
}

export interface DatabaseSources {
  /** Asks the database. */
  countInDatabase: () => Promise<DatabaseCounts>;
  now?: () => number;
  /** How long a scrape waits for that. */
  patienceMs?: number;
}

const REMEMBERED_FOR_MS = 15_000;

/**
 * Registers what is read from the database: asked for at most once in 15 seconds, and waited for at most `patienceMs`
 * (2 seconds). While the database does not answer, these metrics are missing.
 */
export function measureMigrations(
  registry: Registry,
  sources: DatabaseSources & { supplierLabel: (code: string) => string },
): void {
  const ask = rememberedCounts(sources);
  for (const { show, ...options } of gauges(sources.supplierLabel)) {
    new Gauge({
      ...options,
      registers: [registry],
      async collect() {
        const counts = await ask();
        this.reset();
        if (counts !== undefined) show(counts, (labels, count) => this.inc(labels, count));
      },
    });
  }
}

type Add = (labels: Record<string, string>, count: number) => void;

interface DatabaseGauge {
  name: string;
  help: string;
  labelNames: string[];
  show: (counts: DatabaseCounts, add: Add) => void;
}

function gauges(supplierLabel: (code: string) => string): DatabaseGauge[] {
  const bySupplier = (each: (migration: MigrationCounts, add: Add) => void): DatabaseGauge['show'] => {
    return ({ migrations }, add) => {
      for (const migration of migrations) {
        const import_supplier = supplierLabel(migration.import_supplier);
        each(migration, (labels, count) => add({ import_supplier, ...labels }, count));
      }
    };
  };
  return [
    {
      name: 'causeway_account_imports',
      help: 'Account imports by import supplier and state; at most 15 seconds old, the same on all instances.',
      labelNames: ['import_supplier', 'state'],
      show: bySupplier(({ states }, add) => addEach(states, add)),
    },
    {
      name: 'causeway_account_imports_complete',
      help: 'Account imports whose account exists and none of whose operations is refused, by import supplier; at most 15 seconds old.',
      labelNames: ['import_supplier'],
      show: bySupplier(({ complete }, add) => add({}, complete)),
    },
    {
      name: 'causeway_problems',
      help: 'Kinds of problem that accounts have now (what listProblems shows), by import supplier; at most 15 seconds old.',
      labelNames: ['import_supplier'],
      show: bySupplier(({ problems }, add) => add({}, problems)),
    },
    {
      name: 'causeway_remarks',
      help: 'Kinds of remark that accounts have now: doubtful data that was accepted, by import supplier; at most 15 seconds old.',
      labelNames: ['import_supplier'],
      show: bySupplier(({ remarks }, add) => add({}, remarks)),
    },
    {
      name: 'causeway_schema_migrations',
      help: 'Migrations of the schema, by state: `applied`, or `pending` (this version has them, the database not); at most 15 seconds old.',
      labelNames: ['state'],
      show: ({ schema }, add) => addEach(schema, add),
    },
    {
      name: 'causeway_webhook_endpoints',
      help: 'Webhook endpoints by state: `accepting`, `failing` (the last attempt failed) or `disabled`, and why they are disabled; at most 15 seconds old.',
      labelNames: ['state', 'reason'],
      show({ webhooks: { accepting, failing, disabled } }, add) {
        addEach({ accepting, failing }, add);
        for (const [reason, count] of Object.entries(disabled)) add({ state: 'disabled', reason }, count);
      },
    },
    {
      name: 'causeway_webhook_oldest_unsent_seconds',
      help: 'Age of the oldest event that was not sent yet to a webhook endpoint that accepts what it gets; 0 if none exists; at most 15 seconds old.',
      labelNames: [],
      show: ({ webhooks }, add) => add({}, webhooks.oldestUnsentSeconds),
    },
  ];
}

function addEach(byState: Readonly<Record<string, number>>, add: Add): void {
  for (const [state, count] of Object.entries(byState)) add({ state }, count);
}

/** One at a time and one in 15 seconds, whether it succeeds, fails (no counts) or takes too long (no counts yet). */
function rememberedCounts({ countInDatabase, now = Date.now, patienceMs = 2_000 }: DatabaseSources) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let running = false;
  let answer: Promise<DatabaseCounts | undefined> = Promise.resolve(undefined);
  return () => {
    if (!running && now() - askedAt >= REMEMBERED_FOR_MS) {
      askedAt = now();
      running = true;
      answer = Promise.try(countInDatabase)
        .catch(() => undefined)
        .finally(() => {
          running = false;
        });
    }
    return Promise.race([answer, nothingAfter(patienceMs)]);
  };
}

function nothingAfter(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, undefined).unref();
  });
}
