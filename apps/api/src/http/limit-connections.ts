import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { rawRefusal } from '../answers/raw-answer.ts';
import { Parties, Share } from '../overload/party.ts';
import { clientNetworks } from './client-network.ts';

export interface ConnectionLimits {
  all: number;
  /** The limit per client address; absent behind a proxy, where all clients share one. */
  perAddress: number;
}

/** Time to read the answer, for a client that is still sending. */
const LINGER_MS = 1_000;
const TOO_MANY = {
  status: 503,
  code: 'service_unavailable',
  detail: 'There are too many connections: close those that you do not need, and try again.',
} as const;

/**
 * The immediate answer to a new connection over the limits; none of its requests is read. If several addresses have
 * taken all connections, one with less than an equal part may still connect, up to twice the limit.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const share = new Share('sockets', limits.all);
  const parties = new Parties();
  const accepters = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const party = parties.named(clientNetworks(socket.remoteAddress ?? '').at(-1) ?? '');
    const isFull = share.used >= limits.all && !share.mayTakeMore(party);
    if (isFull || party.sockets >= limits.perAddress) {
      refuse(socket);
      return;
    }
    share.take(party, 1);
    socket.once('close', () => share.take(party, -1));
    for (const accept of accepters) accept.call(server, socket);
  });
}

function refuse(socket: Socket): void {
  // Discards what it sends meanwhile: closing with unread data would reset the connection and lose the answer.
  socket.on('error', () => socket.destroy()).resume();
  socket.end(rawRefusal(TOO_MANY, ['Retry-After: 5']));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
