import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Where hostile clients come from, unless they share the good one's address. */
export const FOREIGN_ADDRESS = '127.0.0.2';

export interface HostileRequest {
  method: 'GET' | 'POST';
  path: string;
  token?: string;
  body?: string;
}

export interface Hammering {
  url: string;
  connections: number;
  localAddress?: string;
  /** The n-th request. */
  request(number: number): HostileRequest;
}

/** After a refusal or a broken connection: a client that never pauses at all would mostly measure itself. */
const PAUSE_MS = 5;

/** Sends requests on so many connections, each the next one as soon as the last is answered, for ever. */
export async function hammer({ url, connections, localAddress = FOREIGN_ADDRESS, request }: Hammering): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections, localAddress });
  let number = 0;
  const work = async () => {
    for (;;) {
      number += 1;
      const status = await ask(url, agent, request(number));
      if (status === 0 || status === 429 || status === 503) await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

/** The status of the answer, once it has been read and thrown away; 0 where the connection broke. */
function ask(url: string, agent: http.Agent, { method, path, token, body }: HostileRequest): Promise<number> {
  const headers = {
    ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
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

/** Holds so many connections whose answers nobody reads; one that is closed is opened again. */
export async function hold({ url, connections, beginning, drip }: Holding): Promise<void> {
  const { hostname, port } = new URL(url);
  const keep = async () => {
    for (;;) {
      const socket = connect({ host: hostname, port: Number(port), localAddress: FOREIGN_ADDRESS });
      socket.pause();
      socket.write(beginning);
      await untilClosed(socket, drip);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: connections }, keep));
}

/** Who reads nothing hears of no end either: the socket is given up when writing to it fails. */
function untilClosed(socket: Socket, drip: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (drip !== undefined && socket.writable) socket.write(drip);
    }, 1_000);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(timer);
      resolve();
    });
  });
}
