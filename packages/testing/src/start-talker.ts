import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that talks without an end. */
export interface Talker extends AsyncDisposable {
  readonly port: number;
  /** How many connections it has had, and how many were ended by anyone who had opened them. */
  readonly counts: { opened: number; left: number };
}

export interface Talk {
  /** What it says first. */
  beginning: string;
  /** What it says then, again and again, as fast as it is read. */
  again: string;
  /** Whether it waits until it was told something. Default: yes. */
  listensFirst?: boolean;
}

/** A hostile server on a free port of 127.0.0.1, which says the same whatever it is told. */
export async function startTalker({ beginning, again, listensFirst = true }: Talk): Promise<Talker> {
  const sockets = new Set<Socket>();
  const counts = { opened: 0, left: 0 };
  const server = createServer({ noDelay: true }, (socket) => {
    counts.opened += 1;
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket);
        counts.left += 1;
      });
    const begin = () => {
      socket.write(beginning);
      const talk = () => {
        if (again !== '' && socket.writable) socket.write(again, () => setImmediate(talk));
      };
      talk();
    };
    if (listensFirst) socket.once('data', begin);
    else begin();
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
