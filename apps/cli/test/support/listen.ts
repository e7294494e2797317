import { once } from 'node:events';
import type { createServer } from 'node:http';
import type { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The port of a server of this test, on 127.0.0.1. */
export async function listen(server: ReturnType<typeof createServer | typeof createTlsServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
