import type { Target, World } from './world.ts';

const SAMPLE_EVERY_MS = 50;

/** The sampled activity of PostgreSQL's sessions while something ran. */
export interface Activity {
  /** Share of the samples of active sessions, by what they waited for; `CPU` where they waited for nothing. */
  waits: { name: string; share: number }[];
  /** Every statement seen. */
  statements: string[];
}

/** Samples the sessions of a target's service twenty times a second until `work` is done. */
export async function sampleActivity<Result>(
  { postgres }: World,
  target: Target,
  work: () => Promise<Result>,
): Promise<{ result: Result; activity: Activity }> {
  const waits = new Map<string, number>();
  const statements = new Set<string>();
  let sampling: Promise<void> | undefined;
  const sample = async () => {
    const sessions = await postgres.query<{ state: string; wait: string; query: string }>(
      'postgres',
      `SELECT state, coalesce(wait_event_type || ': ' || wait_event, 'CPU') AS wait, query FROM pg_stat_activity
      WHERE datname = $1 AND application_name = 'causeway'`,
      [target.database],
    );
    for (const { state, wait, query } of sessions) {
      statements.add(query);
      if (state === 'active') waits.set(wait, (waits.get(wait) ?? 0) + 1);
    }
  };
  const timer = setInterval(() => {
    sampling ??= sample().finally(() => {
      sampling = undefined;
    });
  }, SAMPLE_EVERY_MS);
  try {
    const result = await work();
    const total = [...waits.values()].reduce((sum, count) => sum + count, 0);
    const shares = [...waits].map(([name, count]) => ({ name, share: count / total }));
    shares.sort((one, other) => other.share - one.share);
    return { result, activity: { waits: shares, statements: [...statements] } };
  } finally {
    clearInterval(timer);
    await sampling;
  }
}
