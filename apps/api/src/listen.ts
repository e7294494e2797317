import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Environment } from './env.ts';

// Past the gate's own answer to a slow body, which says more than Node's.
const REQUEST_GRACE_MS = 5_000;

/** Listens with the limits of design 6, and tells where. A port that is taken is an Error that says what to do. */
export async function listen(server: Server, environment: Environment): Promise<{ url: string; port: number }> {
  const { host, port: wanted, idleTimeoutMs, headersTimeoutMs, bodyTimeoutMs } = environment;
  server.keepAliveTimeout = idleTimeoutMs;
  server.requestTimeout = headersTimeoutMs + bodyTimeoutMs + REQUEST_GRACE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = new Error(`Port ${wanted} is taken: set PORT to another one, or to 0 for any.`);
      reject(error.code === 'EADDRINUSE' ? taken : error);
    });
    server.listen({ host, port: wanted }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}

/** Idle connections go at once, busy ones after their answer, what is left when the time is over. */
export function drain(server: Server, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
