import { createMetrics } from '../../src/observability/metrics.ts';
import { createWorkMetrics } from '../../src/observability/work-metrics.ts';

export interface DescribedMetric {
  name: string;
  type: string;
  help: string;
  labelNames: string[];
}

/** All metrics of an instance. */
export async function allMetrics(): Promise<DescribedMetric[]> {
  const refused = {
    requests_at_work: 0,
    expected_wait: 0,
    event_loop_delay: 0,
    database_waiters: 0,
    unread_answers: 0,
  };
  const { registries } = createMetrics({
    work: createWorkMetrics(),
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    connections: { queue: { waiting: 0 } },
    admission: { counts: { atWork: 0, millisecondsEach: 0, unreadBytes: 0, refused } },
    build: { version: '1', commit: '1' },
    countInDatabase: async () => ({
      migrations: [],
      schema: { applied: 0, pending: 0 },
      webhooks: {
        ...{ accepting: 0, failing: 0, oldestUnsentSeconds: 0 },
        disabled: { asked: 0, failing: 0, gone: 0, secret_unreadable: 0 },
      },
    }),
  });
  const all = registries.flatMap((registry) => registry.getMetricsAsArray() as unknown as DescribedMetric[]);
  const types = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
  const typeOf = new Map(types.flat().map(({ name, type }) => [name, String(type)]));
  return all.map(({ name, help, labelNames }) => ({ name, help, labelNames, type: typeOf.get(name) ?? '' }));
}
