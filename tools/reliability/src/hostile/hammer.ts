import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The address of hostile clients, unless they share the good client's. */
export const FOREIGN_ADDRESS = '127.0.0.2';

export interface HostileRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string;
  body?: string | Uint8Array;
  /** Default: JSON. */
  type?: string;
}

/** The results of a load's clients so far. */
export interface Met {
  /** How often each status came; 0 stands for a connection that broke. */
  statuses: Record<number, number>;
  /** Requests that have waited for their answer for at least `HANGS_AFTER_MS`. */
  hanging: number;
  /** Connections that are held open. */
  open: number;
}

export interface Hammering {
  url: string;
  connections: number;
  localAddress?: string;
  /** The n-th request. */
  request(number: number): HostileRequest;
}

const HANGS_AFTER_MS = 500;
/** How long an answer is left unread by a silent client: then its connection is closed, and another opened. */
const UNREAD_FOR_MS = 3_000;
/** The pause after a refusal or a broken connection: a client without pauses would mostly measure itself. */
const PAUSE_MS = 5;

/** Sends requests on this many connections forever, each as soon as the previous one is answered. */
export async function hammer(hammering: Hammering, met: Met): Promise<void> {
  const { url, connections, localAddress = FOREIGN_ADDRESS, request } = hammering;
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, localAddress });
  let number = 0;
  const work = async () => {
    for (;;) {
      number += 1;
      const status = await hangsOrNot(met, ask(url, agent, request(number)));
      count(met, status);
      if (status === 0 || status === 429 || status === 503) await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** Counts it as hanging from a while after its beginning to its end. */
async function hangsOrNot(met: Met, answer: Promise<number>): Promise<number> {
  let hanging = 0;
  const timer = setTimeout(() => {
    hanging = 1;
    met.hanging += 1;
  }, HANGS_AFTER_MS);
  const status = await answer;
  clearTimeout(timer);
  met.hanging -= hanging;
  return status;
}

function count({ statuses }: Met, status: number): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/** The status of the answer, once it has been read and discarded; 0 if the connection broke. */
function ask(url: string, agent: http.Agent, { method, path, token, body, ...sent }: HostileRequest): Promise<number> {
  const { type = 'application/json' } = sent;
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve) => {
    const request = http.request(new URL(path, url), { agent, method, headers }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', () => resolve(0));
    request.end(body);
  });
}

export interface Holding {
  url: string;
  connections: number;
  /** What each sends at once. */
  beginning: string | Buffer;
  /** What it sends every second from then on. */
  drip?: string;
}

/** Holds this many connections and reads only the status of their answers; one that has ended is opened again. */
export async function hold({ url, connections, beginning, drip }: Holding, met: Met): Promise<void> {
  const { hostname, port } = new URL(url);
  const keep = async () => {
    for (;;) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: FOREIGN_ADDRESS });
      socket.once('connect', () => {
        met.open += 1;
        socket.once('close', () => (met.open -= 1));
      });
      socket.once('data', (first) => {
        socket.pause();
        count(met, Number(/^HTTP\/1\.1 (\d+)/.exec(first.toString('latin1'))?.[1] ?? 0));
      });
      socket.write(beginning);
      await untilOver(socket, drip);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: connections }, keep));
}

/**
 * A client that reads nothing does not notice a close: writing to the socket fails, or it is abandoned after a while.
 */
function untilOver(socket: Socket, drip: string | undefined): Promise<void> {
  const write = () => socket.writable && socket.write(drip ?? '');
  const timer = drip === undefined ? setTimeout(() => socket.destroy(), UNREAD_FOR_MS) : setInterval(write, 1_000);
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
