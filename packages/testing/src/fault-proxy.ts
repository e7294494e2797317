import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { busiest, type Direction, type Fault, noTraffic, strikesAfter, type Traffic } from './fault.ts';
import { createMessageReader, type MessageReader } from './postgres-messages.ts';

export interface FaultProxy {
  readonly port: number;
  /** The number of faults that fired: the proof that a test tested something. */
  readonly fired: number;
  /** The traffic of the busiest connection in each direction since the last `arm` or `disarm`. */
  readonly traffic: Readonly<Traffic>;
  readonly connections: number;
  /** Replaces the fault armed before. */
  arm(fault: Fault): void;
  disarm(): void;
  /** Fires immediately on all existing connections; returns their number. New ones are not affected. */
  cutAll(): number;
  blackHoleAll(): number;
  /** Sets the target of new connections: a restarted server has another port. */
  retarget(port: number): void;
  close(): Promise<void>;
}

interface Connection {
  sockets: Record<Direction, Socket>;
  readers: Record<Direction, MessageReader> | undefined;
  traffic: Traffic;
  swallows: boolean;
  delayMs: number;
}

interface Line {
  connections: Set<Connection>;
  armed: { fault: Fault; left: number } | undefined;
  fired: number;
}

/** Listens on a free port of 127.0.0.1 in front of a server, forwards everything, and injects the armed faults. */
export async function startFaultProxy(target: { port: number; protocol?: 'postgres' }): Promise<FaultProxy> {
  const line: Line = { connections: new Set(), armed: undefined, fired: 0 };
  let targetPort = target.port;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    join(line, { client, upstream, isPostgres: target.protocol === 'postgres' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const arm = (fault?: Fault) => {
    line.armed = fault && { fault, left: fault.times ?? 1 };
    for (const connection of line.connections) connection.traffic = noTraffic();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get fired() {
      return line.fired;
    },
    get traffic() {
      return busiest([...line.connections].map(({ traffic }) => traffic));
    },
    get connections() {
      return line.connections.size;
    },
    arm,
    disarm: () => arm(),
    cutAll: () => happenToAll(line, 'cut'),
    blackHoleAll: () => happenToAll(line, 'black-hole'),
    retarget(port) {
      targetPort = port;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of [...line.connections]) cut(line, connection);
      }),
  };
}

/** Forwards data from one socket to the other, until one of them closes. */
function join(
  line: Line,
  { client, upstream, isPostgres }: { client: Socket; upstream: Socket; isPostgres: boolean },
): void {
  const connection: Connection = {
    sockets: { 'to-server': upstream, 'to-client': client },
    readers: isPostgres
      ? { 'to-server': createMessageReader('to-server'), 'to-client': createMessageReader('to-client') }
      : undefined,
    traffic: noTraffic(),
    swallows: false,
    delayMs: 0,
  };
  line.connections.add(connection);
  client.on('data', (chunk: Buffer) => pass(line, connection, { direction: 'to-server', chunk }));
  upstream.on('data', (chunk: Buffer) => pass(line, connection, { direction: 'to-client', chunk }));
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.on('error', () => undefined);
    socket.on('close', (hadError) => {
      // Through a black hole, neither side learns that the other has closed.
      if (connection.swallows && line.connections.has(connection)) return;
      if (hadError) cut(line, connection);
      else setTimeout(() => other.destroySoon(), connection.delayMs);
      line.connections.delete(connection);
    });
  }
}

/** Forwards bytes, up to the point where the armed fault fires. */
function pass(line: Line, connection: Connection, { direction, chunk }: { direction: Direction; chunk: Buffer }): void {
  if (connection.swallows) return;
  const { bytes, starts } = connection.readers?.[direction].read(chunk) ?? { bytes: chunk, starts: [] };
  const { armed } = line;
  const end =
    armed?.fault.direction === direction ? strikesAfter(armed.fault, connection.traffic, { bytes, starts }) : undefined;
  const passed = connection.traffic[direction];
  passed.bytes += end ?? bytes.length;
  passed.messages += starts.filter(({ offset }) => offset < (end ?? bytes.length)).length;
  if (end === undefined || armed === undefined) {
    forward(connection, direction, bytes);
    return;
  }
  armed.left -= 1;
  if (armed.left === 0) line.armed = undefined;
  const { does } = armed.fault;
  if (typeof does === 'object') {
    happen(line, connection, does);
    forward(connection, direction, bytes);
    return;
  }
  // The forwarded bytes have left this process before the connection breaks.
  if (end > 0) connection.sockets[direction].write(bytes.subarray(0, end), () => happen(line, connection, does));
  else happen(line, connection, does);
  connection.swallows = true;
}

function happen(line: Line, connection: Connection, does: Fault['does']): void {
  line.fired += 1;
  if (does === 'cut') cut(line, connection);
  else if (does === 'black-hole') connection.swallows = true;
  else connection.delayMs = does.delayMs;
}

function happenToAll(line: Line, does: 'cut' | 'black-hole'): number {
  const present = [...line.connections];
  for (const connection of present) happen(line, connection, does);
  return present.length;
}

function cut(line: Line, connection: Connection): void {
  line.connections.delete(connection);
  for (const socket of Object.values(connection.sockets)) socket.destroy();
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
