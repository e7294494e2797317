import type { Cluster } from './create-cluster.ts';
import { type JoinedServer, joinOrLaunch, type Launches, type LaunchPlan } from './join-or-launch.ts';
import { leaveServer } from './membership.ts';

/** The events for a process that keeps its server running. */
export interface ServerWatch {
  /** Each end, launch and return of the server. */
  report: LaunchPlan['report'];
  /** The server could not be restarted, and there are no more attempts. */
  giveUp(error: Error): void;
}

/**
 * Long enough for a session that a killed server left in the middle of a statement: PostgreSQL does not start a second
 * server while one exists, and `statement_timeout` ends it.
 */
const ATTEMPTS = 8;
/** A server that was up for this long has started successfully: a later end is a new problem. */
const STAYED_MS = 60_000;

/**
 * Joins the server again whenever the session to it ends, and launches the server again, on the same port, if it has
 * ended. So the process counts as a user as long as it lives, whichever process started the server.
 *
 * @returns a function that stops this, and leaves the server
 */
export function keepServer(
  cluster: Cluster,
  joined: JoinedServer,
  { settings, watch }: { settings: LaunchPlan['settings']; watch: ServerWatch },
): () => Promise<void> {
  const { port } = joined.membership;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = joined;
  let launches: Launches = { count: 0, nextAt: 0 };
  let rejoining: Promise<unknown> = Promise.resolve();

  async function rejoin(): Promise<void> {
    const lostAt = Date.now();
    watch.report('database_session_lost', { port });
    const { launched } = current;
    current = await joinOrLaunch(cluster, {
      settings,
      attempts: ATTEMPTS,
      launches,
      port,
      launched,
      report: watch.report,
      signal,
    });
    if (current.membership.port !== port) {
      throw new Error(`PostgreSQL in ${cluster.directory} now listens on another port: start this service again.`);
    }
    watch.report('database_session_regained', { port, after_ms: Date.now() - lostAt });
  }

  async function keep(): Promise<void> {
    for (;;) {
      const joinedAt = Date.now();
      await current.membership.ended;
      if (signal.aborted) return;
      if (Date.now() - joinedAt >= STAYED_MS) launches = { count: 0, nextAt: 0 };
      rejoining = rejoin();
      await rejoining;
    }
  }

  keep().catch((error: Error) => {
    if (!signal.aborted) watch.giveUp(error);
  });
  return async () => {
    stopping.abort();
    await rejoining.catch(() => undefined);
    await leaveServer(cluster, current.membership, current.launched);
  };
}
