import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createMessageReader, type MessageReader } from './postgres-messages.ts';

export type Direction = 'to-server' | 'to-client';

/** What breaks, and when. Each connection counts for itself, from when the fault was armed or the connection began. */
export interface Fault {
  direction: Direction;
  /**
   * Fires at the first byte after so many bytes, or at the message after so many messages, or before the first message
   * of a type (`S` is Sync). Messages need a proxy that follows PostgreSQL's protocol.
   */
  at: { bytes: number } | { messages: number } | { messageType: string };
  /** Lets the first half of that message pass. */
  half?: boolean;
  /** Both sides lose the connection, or both keep it and hear nothing any more, or it is slow from now on. */
  does: 'cut' | 'black-hole' | { delayMs: number };
  /** Connections that it happens to: 1 unless given. */
  times?: number;
}

interface Passed {
  bytes: number;
  messages: number;
}

export interface FaultProxy {
  readonly port: number;
  /** Faults that happened, of all that were armed: the proof that a test tested something. */
  readonly fired: number;
  /** What the busiest connection carried in each direction since the last `arm` or `disarm`. */
  readonly traffic: Readonly<Record<Direction, Passed>>;
  readonly connections: number;
  /** Replaces the fault armed before. */
  arm(fault: Fault): void;
  disarm(): void;
  /** At once, for all connections there are; how many. New ones are whole. */
  cutAll(): number;
  blackHoleAll(): number;
  /** Where new connections lead from now on: a server that started again has another port. */
  retarget(port: number): void;
  close(): Promise<void>;
}

interface Connection {
  sockets: Record<Direction, Socket>;
  readers: Record<Direction, MessageReader> | undefined;
  passed: Record<Direction, Passed>;
  swallows: boolean;
  delayMs: number;
}

const nothing = (): Record<Direction, Passed> => ({
  'to-server': { bytes: 0, messages: 0 },
  'to-client': { bytes: 0, messages: 0 },
});

/** Stands on a free port of 127.0.0.1 before a server there, passes everything on, and breaks what it is told to. */
export async function startFaultProxy(target: { port: number; protocol?: 'postgres' }): Promise<FaultProxy> {
  const connections = new Set<Connection>();
  let targetPort = target.port;
  let armed: { fault: Fault; left: number } | undefined;
  let fired = 0;

  const cut = (connection: Connection) => {
    connections.delete(connection);
    for (const socket of Object.values(connection.sockets)) socket.destroy();
  };

  function happen(connection: Connection, { does }: Fault): void {
    fired += 1;
    if (does === 'cut') cut(connection);
    else if (does === 'black-hole') connection.swallows = true;
    else connection.delayMs = does.delayMs;
  }

  function pass(connection: Connection, direction: Direction, chunk: Buffer): void {
    if (connection.swallows) return;
    const { bytes, starts } = connection.readers?.[direction].read(chunk) ?? { bytes: chunk, starts: [] };
    const passed = connection.passed[direction];
    const end = armed?.fault.direction === direction ? endBefore(armed.fault, passed, { bytes, starts }) : undefined;
    passed.bytes += end ?? bytes.length;
    passed.messages += starts.filter(({ offset }) => offset < (end ?? bytes.length)).length;
    if (end === undefined || armed === undefined) {
      forward(connection, direction, bytes);
      return;
    }
    const { fault } = armed;
    armed.left -= 1;
    if (armed.left === 0) armed = undefined;
    if (typeof fault.does === 'object') {
      happen(connection, fault);
      forward(connection, direction, bytes);
      return;
    }
    // What still passes has left this process before the connection breaks.
    if (end > 0) connection.sockets[direction].write(bytes.subarray(0, end), () => happen(connection, fault));
    else happen(connection, fault);
    connection.swallows = true;
  }

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    const connection: Connection = {
      sockets: { 'to-server': upstream, 'to-client': client },
      readers:
        target.protocol === undefined
          ? undefined
          : { 'to-server': createMessageReader('to-server'), 'to-client': createMessageReader('to-client') },
      passed: nothing(),
      swallows: false,
      delayMs: 0,
    };
    connections.add(connection);
    client.on('data', (chunk: Buffer) => pass(connection, 'to-server', chunk));
    upstream.on('data', (chunk: Buffer) => pass(connection, 'to-client', chunk));
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', (hadError) => {
        // Through a black hole nobody hears that the other side has left.
        if (connection.swallows && connections.has(connection)) return;
        if (hadError) cut(connection);
        else setTimeout(() => other.destroySoon(), connection.delayMs);
        connections.delete(connection);
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });

  const reset = (fault?: Fault) => {
    armed = fault && { fault, left: fault.times ?? 1 };
    for (const connection of connections) connection.passed = nothing();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get fired() {
      return fired;
    },
    get traffic() {
      return busiest([...connections].map(({ passed }) => passed));
    },
    get connections() {
      return connections.size;
    },
    arm: reset,
    disarm: () => reset(),
    cutAll: () => happenToAll('cut'),
    blackHoleAll: () => happenToAll('black-hole'),
    retarget(port) {
      targetPort = port;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        [...connections].forEach(cut);
      }),
  };

  function happenToAll(does: 'cut' | 'black-hole'): number {
    const present = [...connections];
    for (const connection of present) happen(connection, { direction: 'to-server', at: { bytes: 0 }, does });
    return present.length;
  }
}

/** Where in these bytes the fault strikes: so many of them still pass. Undefined while it does not. */
function endBefore(
  { at, half }: Fault,
  passed: Passed,
  { bytes, starts }: ReturnType<MessageReader['read']>,
): number | undefined {
  if ('bytes' in at) {
    const end = at.bytes - passed.bytes;
    return end < bytes.length ? Math.max(0, end) : undefined;
  }
  const start =
    'messages' in at ? starts[at.messages - passed.messages] : starts.find(({ type }) => type === at.messageType);
  if (start === undefined) return undefined;
  return half === true ? Math.min(bytes.length, start.offset + Math.ceil(start.length / 2)) : start.offset;
}

function forward(connection: Connection, direction: Direction, bytes: Buffer): void {
  const to = connection.sockets[direction];
  const from = connection.sockets[direction === 'to-server' ? 'to-client' : 'to-server'];
  const write = () => {
    if (to.destroyed || to.write(bytes)) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
  if (connection.delayMs === 0) write();
  else setTimeout(write, connection.delayMs);
}

function busiest(all: Record<Direction, Passed>[]): Record<Direction, Passed> {
  return all.reduce((most, one) => (one['to-server'].bytes > most['to-server'].bytes ? one : most), nothing());
}
