import { createServer } from 'node:http';
import { type ListenAddress, listenAt } from '../listen.ts';

/**
 * Listens for a moment where the service will, before anything else is done: a port that is taken is told at once, and
 * not after a database was started and migrated. Whoever takes it later is told when the service listens.
 */
export async function tryPorts(...addresses: (ListenAddress | undefined)[]): Promise<void> {
  for (const address of addresses) {
    if (address === undefined) continue;
    const server = createServer();
    await listenAt(server, address);
    await new Promise((resolve) => server.close(resolve));
  }
}
