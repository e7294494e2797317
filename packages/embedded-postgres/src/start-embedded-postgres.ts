import { createCluster } from './create-cluster.ts';
import { joinOrLaunch } from './join-or-launch.ts';
import { keepServer, type ServerWatch } from './keep-server.ts';
import { DATABASE, leaveServer, urlOf } from './membership.ts';

export interface EmbeddedPostgresOptions {
  /** Created if it is missing. Contains the cluster, the generated password and the server's log. */
  dataDirectory: string;
  /** Further settings of postgresql.conf, by name. */
  settings?: Readonly<Record<string, string>>;
  /** If set, the server is kept running until `stop`: one that ends is launched again on the same port. */
  watch?: ServerWatch;
}

export interface EmbeddedPostgres {
  /** Connection URL of the database `causeway`, with the superuser's password. */
  url: string;
  /** Stops the server, unless another process still uses it: then the last user stops it. */
  stop(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statement, parameter or key may reach the log: they contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

const ATTEMPTS = 3;

/**
 * Runs the PostgreSQL server from npm on its own data directory (behaviour 16.3). The cluster is created at the first
 * start; the server listens on a free port of 127.0.0.1 and requires the generated password. A server that a killed
 * process left behind, or that another process started, is shared: each user holds a lock in it, and the last one stops
 * it.
 *
 * @returns when the server answers and the database `causeway` exists
 * @throws with the end of the server's log if it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDirectory, watch } = options;
  const settings = { ...SETTINGS, ...options.settings };
  const cluster = await createCluster({ dataDirectory, sync: options.settings?.fsync !== 'off' });
  const report = watch?.report ?? (() => undefined);
  const launches = { count: 0, nextAt: 0 };
  const joined = await joinOrLaunch(cluster, { settings, attempts: ATTEMPTS, launches, launched: undefined, report });
  const leave = watch
    ? keepServer(cluster, joined, { settings, watch })
    : () => leaveServer(cluster, joined.membership, joined.launched);
  let left: Promise<void> | undefined;
  const stop = () => {
    left ??= leave();
    return left;
  };
  return { url: urlOf(cluster, joined.membership.port, DATABASE), stop };
}
