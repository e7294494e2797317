import type { Socket } from 'node:net';

/** What a peer may send for one thing that it is asked; many small pieces cost more than one large one. */
export interface SocketLimits {
  bytes: number;
  reads: number;
}

const budgets = new WeakMap<Socket, SocketLimits>();

export const isBounded = (socket: Socket): boolean => budgets.has(socket);

/**
 * Ends the connection of a peer that sends more than this: from now on, or from when it is bounded again for the next thing.
 * A parser has its limits for what it reads, but not for how much a peer sends that means nothing.
 */
export function boundSocket(socket: Socket, limits: SocketLimits): void {
  const isKnown = budgets.has(socket);
  budgets.set(socket, { ...limits });
  if (isKnown) return;
  const count = (bytes: number) => {
    const left = budgets.get(socket);
    if (left === undefined) return;
    left.bytes -= bytes;
    left.reads -= 1;
    if (left.bytes < 0 || left.reads < 0) socket.destroy(new PeerSaysTooMuch());
  };
  socket.on('data', (piece: Buffer) => count(piece.length));
  // Of TLS: a peer may send as many tickets as it likes.
  socket.on('session', (ticket: Buffer) => count(ticket.length));
}

/** Why a connection was ended. */
export class PeerSaysTooMuch extends Error {
  override readonly name = 'PeerSaysTooMuch';

  constructor() {
    super('The other side sends more than an answer may have');
  }
}
