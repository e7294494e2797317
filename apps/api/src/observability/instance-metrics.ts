import { Counter, Gauge, type Registry } from 'prom-client';
import type { AdmissionCounts } from '../overload/admission.ts';

/** The connection counts of a pg.Pool. */
export interface PoolCounts {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** What the instance has to do. */
export interface InstanceSources {
  pool: PoolCounts;
  connections: { readonly queue: { readonly waiting: number } };
  admission: { readonly counts: AdmissionCounts };
  build: { version: string; commit: string };
}

/** Registers what is read from the instance itself, as it is at the scrape. */
export function measureInstance(registry: Registry, sources: InstanceSources): void {
  measurePool(registry, sources);
  measureAdmission(registry, sources);
  const { version, commit } = sources.build;
  new Gauge({
    name: 'causeway_build_info',
    help: 'Always 1: the version and the commit that this instance runs.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version, commit }, 1);
}

function measurePool(registry: Registry, { pool, connections }: InstanceSources): void {
  new Gauge({
    name: 'causeway_database_pool_connections',
    help: 'Database connections of this instance, by state: `used` or `idle`.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'causeway_database_pool_waiting_requests',
    help: 'Callers that wait for a database connection.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount + connections.queue.waiting);
    },
  });
}

function measureAdmission(registry: Registry, { admission }: InstanceSources): void {
  new Gauge({
    name: 'causeway_requests_at_work',
    help: 'Requests whose body has arrived and whose answer is not out.',
    registers: [registry],
    collect() {
      this.set(admission.counts.atWork);
    },
  });
  new Gauge({
    name: 'causeway_request_cost_seconds',
    help: 'What a request has cost lately of what there is too little of: the event loop, or database connections.',
    registers: [registry],
    collect() {
      this.set(admission.counts.millisecondsEach / 1000);
    },
  });
  new Gauge({
    name: 'causeway_unread_answer_bytes',
    help: 'Bytes of answers that were written and that their clients have not read.',
    registers: [registry],
    collect() {
      this.set(admission.counts.unreadBytes);
    },
  });
  new Counter({
    name: 'causeway_requests_refused_total',
    help: 'Requests refused since there was too much to do, by the limit that they met.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [limit, count] of Object.entries(admission.counts.refused)) this.inc({ limit }, count);
    },
  });
}
