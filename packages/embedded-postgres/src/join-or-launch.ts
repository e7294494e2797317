import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './create-cluster.ts';
import { joinServer, type Membership } from './membership.ts';
import { type LaunchedServer, launchServer, logTail, readPostmaster } from './postmaster.ts';

/** Receives the server's events, for the log: a name, and facts without personal data. */
export type ServerReport = (event: string, facts: Record<string, unknown>) => void;

/** The launches since a server last stayed up, kept between joins. */
export interface Launches {
  count: number;
  /** No further one before this time, in milliseconds since 1970. */
  nextAt: number;
}

export interface LaunchPlan {
  /** Of postgresql.conf, by name. */
  settings: Readonly<Record<string, string>>;
  /** The number of failed launches before giving up. */
  attempts: number;
  launches: Launches;
  /** The port that the server's users know; any port if there are none yet. */
  port?: number;
  /** The server that this process launched before. */
  launched: LaunchedServer | undefined;
  report: ServerReport;
  signal?: AbortSignal;
}

/** A membership of a running server, and the server if this process launched it. */
export interface JoinedServer {
  membership: Membership;
  launched: LaunchedServer | undefined;
}

const POLL_INTERVAL_MS = 10;
/** Recovery after a crash replays up to `max_wal_size`. */
const START_TIMEOUT_MS = 300_000;
const FIRST_BACK_OFF_MS = 250;
const MAX_BACK_OFF_MS = 4_000;
/** With servers that start and end again, about three minutes. */
const MAX_LAUNCHES = 50;

/**
 * Joins the cluster's server, or launches one if none is running: PostgreSQL's own lock lets only one of several start.
 * The interval grows with each launch since a server last stayed up.
 *
 * @throws with the end of the server's log if no launch leads to a server that answers, or none of many to one that
 *   stays up
 */
export async function joinOrLaunch(cluster: Cluster, plan: LaunchPlan): Promise<JoinedServer> {
  const { report, launches } = plan;
  const deadline = Date.now() + START_TIMEOUT_MS;
  let { launched } = plan;
  let attempts = 0;
  let wasRunning = plan.port !== undefined;
  for (; Date.now() < deadline; await delay(POLL_INTERVAL_MS)) {
    plan.signal?.throwIfAborted();
    const membership = await joinServer(cluster);
    if (membership !== undefined) return { membership, launched: launched?.exit ? undefined : launched };
    const isStarting = launched !== undefined && launched.exit === undefined;
    if (isStarting || readPostmaster(cluster)?.alive) continue;
    if (wasRunning) report('database_server_ended', { ...launched?.exit, log_tail: logTail(cluster) });
    wasRunning = false;
    if (attempts === plan.attempts || launches.count === MAX_LAUNCHES) break;
    if (Date.now() < launches.nextAt) continue;
    launched = await launchServer(cluster, plan.settings, plan.port);
    launches.nextAt = Date.now() + Math.min(FIRST_BACK_OFF_MS * 2 ** launches.count, MAX_BACK_OFF_MS);
    launches.count += 1;
    attempts += 1;
    wasRunning = true;
    report('database_server_launched', { port: launched.port, launch: launches.count });
  }
  const what = launches.count === MAX_LAUNCHES ? 'ends again and again' : 'does not start';
  throw new Error(`PostgreSQL ${what} in ${cluster.directory}:\n${logTail(cluster).join('\n')}`);
}
