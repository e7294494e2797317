import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Environment } from '../env.ts';
import { limitConnections } from './limit-connections.ts';

// Longer than the gate's own limit for a slow body, whose answer says more than Node's.
const REQUEST_GRACE_MS = 5_000;

/**
 * Listens with the limits of behaviour 16.7, and returns the address. If that fails, an Error names the variable to
 * set.
 */
export async function listen(server: Server, environment: Environment): Promise<{ url: string; port: number }> {
  const { idleTimeoutMs, headersTimeoutMs, bodyTimeoutMs, statementTimeoutMs } = environment;
  limitConnections(server, environment.connectionLimits);
  server.keepAliveTimeout = idleTimeoutMs;
  server.requestTimeout = headersTimeoutMs + bodyTimeoutMs + REQUEST_GRACE_MS;
  // No answer takes this long: it was written, but its client does not read it, and it would stay in memory.
  server.timeout = server.requestTimeout + statementTimeoutMs;
  return listenAt(server, serviceAddress(environment));
}

export function serviceAddress({ host, port }: Environment): ListenAddress {
  return { host, port, variable: 'PORT', hostVariable: 'HOST' };
}

/** Where a server of this process listens. */
export interface ListenAddress {
  host: string;
  port: number;
  /** The variable that sets the port. */
  variable: 'PORT' | 'METRICS_PORT';
  hostVariable: 'HOST' | 'METRICS_HOST';
}

/**
 * Listens on the port of the given variable, and returns the address. A port in use is an Error that says what to do.
 */
export async function listenAt(
  server: Server,
  { port: wanted, ...address }: ListenAddress,
): Promise<{ url: string; port: number }> {
  const { host } = address;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(refusalToListen(error.code, { ...address, port: wanted }), { cause: error }));
    });
    server.listen({ host, port: wanted }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}

const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

function refusalToListen(code: string | undefined, { host, port, variable, hostVariable }: ListenAddress): string {
  if (code === 'EADDRINUSE') {
    const who = `Perhaps another instance has it (lsof -i :${port} shows who), or PORT and METRICS_PORT are the same.`;
    return `Port ${port} is taken: set ${variable} to another one, or to 0 for any. ${who}`;
  }
  if (code === 'EACCES') return `Port ${port} needs rights that this process lacks: set ${variable} to 1024 or more.`;
  if (NO_ADDRESS.has(code ?? '')) {
    return `${hostVariable} ${host} is no address of this machine (${code}): set ${hostVariable} to one, such as 127.0.0.1 or 0.0.0.0.`;
  }
  return `Cannot listen on port ${port} of ${host} (${code}).`;
}

/** A request that is arriving on an idle connection is still answered; a reset would leave it in doubt. */
const IDLE_GRACE_MS = 200;

/** Closes a server's connections: idle ones soon, busy ones with their answer, the rest after the timeout. */
export type Drain = (timeoutMs: number) => Promise<void>;

/** Tracks the answers that are not sent yet, because they must tell their clients that the connection ends. */
export function prepareDrain(server: Server): Drain {
  const answers = new Set<ServerResponse>();
  let draining = false;
  server.prependListener('request', (_request, response) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
    if (draining) announceEnd(response);
  });
  return async (timeoutMs) => {
    draining = true;
    answers.forEach(announceEnd);
    // For answers that had already begun: their connections end by themselves.
    server.keepAliveTimeout = 1;
    server.keepAliveTimeoutBuffer = 0;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
      const idleTimer = setTimeout(() => server.closeIdleConnections(), Math.min(IDLE_GRACE_MS, timeoutMs));
      // Not the HTTP server's own, which closes the idle connections at once.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(timer);
        clearTimeout(idleTimer);
        // Ends its checks of connections.
        server.close();
        resolve();
      });
    });
  };
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

/**
 * Listens for a moment where the service will, before anything else is done: a port that is taken is told at once, and
 * not after a database was started and migrated. Anyone who takes it later is told when the service listens.
 */
export async function tryPorts(...addresses: (ListenAddress | undefined)[]): Promise<void> {
  const servers: Server[] = [];
  try {
    // All at once: two of them may be the same.
    for (const address of addresses) {
      if (address === undefined) continue;
      const server = createServer();
      await listenAt(server, address);
      servers.push(server);
    }
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}
