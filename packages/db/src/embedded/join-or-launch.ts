import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './create-cluster.ts';
import { joinServer, type Membership } from './membership.ts';
import { type LaunchedServer, launchServer, logTail, readPostmaster } from './postmaster.ts';

/** Hears what becomes of the server, for the log: a name of the event, and facts that hold nothing personal. */
export type ServerReport = (event: string, facts: Record<string, unknown>) => void;

export interface LaunchPlan {
  /** Of postgresql.conf, by name. */
  settings: Readonly<Record<string, string>>;
  /** How many servers are launched before it is given up. */
  launches: number;
  /** The port that the server's users know; any will do where there are none yet. */
  port?: number;
  /** What this process launched before. */
  launched: LaunchedServer | undefined;
  report: ServerReport;
  signal?: AbortSignal;
}

/** A place among the users of a running server, and the server where this process launched it. */
export interface JoinedServer {
  membership: Membership;
  launched: LaunchedServer | undefined;
}

const POLL_INTERVAL_MS = 10;
/** Recovery after a crash replays up to `max_wal_size`. */
const START_TIMEOUT_MS = 300_000;
const FIRST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 4_000;

/**
 * Joins the cluster's server, and launches one where none runs: PostgreSQL's own lock lets only one of several start.
 *
 * @throws with the end of the server's log where no launch leads to a server that answers
 */
export async function joinOrLaunch(cluster: Cluster, plan: LaunchPlan): Promise<JoinedServer> {
  const { report } = plan;
  const deadline = Date.now() + START_TIMEOUT_MS;
  let { launched } = plan;
  let [launches, launchAt] = [0, 0];
  let wasRunning = plan.port !== undefined;
  for (; Date.now() < deadline; await delay(POLL_INTERVAL_MS)) {
    plan.signal?.throwIfAborted();
    const membership = await joinServer(cluster);
    if (membership !== undefined) return { membership, launched: launched?.exit ? undefined : launched };
    const isStarting = launched !== undefined && launched.exit === undefined;
    if (isStarting || readPostmaster(cluster)?.alive) continue;
    if (wasRunning) report('database_server_ended', { ...launched?.exit, log_tail: logTail(cluster) });
    wasRunning = false;
    if (launches === plan.launches) break;
    if (Date.now() < launchAt) continue;
    launched = await launchServer(cluster, plan.settings, plan.port);
    launchAt = Date.now() + Math.min(FIRST_BACK_OFF_MS * 2 ** launches, LONGEST_BACK_OFF_MS);
    launches += 1;
    wasRunning = true;
    report('database_server_launched', { port: launched.port, launch: launches });
  }
  throw new Error(`PostgreSQL does not start in ${cluster.directory}:\n${logTail(cluster).join('\n')}`);
}
