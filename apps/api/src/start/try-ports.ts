import { createServer, type Server } from 'node:http';
import { type ListenAddress, listenAt } from '../listen.ts';

/**
 * Listens for a moment where the service will, before anything else is done: a port that is taken is told at once, and
 * not after a database was started and migrated. Whoever takes it later is told when the service listens.
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
