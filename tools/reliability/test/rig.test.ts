import { connect, createServer, type Socket } from 'node:net';
import { type Fault, startFaultProxy } from '@causeway/testing';
import { expect, test } from 'vitest';
import { offerLoad } from '../src/rig/staging-load.ts';

interface Options {
  protocol?: 'postgres';
  /** Sends so many bytes at a time. */
  chunk?: number;
}

/** Sends `text` through a proxy to a server that sends it back; what came back until one side closed. */
async function echoThrough(
  fault: Fault,
  text: string,
  { chunk = text.length, ...options }: Options = {},
): Promise<{ echoed: string; fired: number; reached: string }> {
  let reached = '';
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      reached += data;
      socket.write(data);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  const proxy = await startFaultProxy({ port, ...options });
  proxy.arm(fault);
  const echoed = await new Promise<string>((resolve) => {
    let received = '';
    const client = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true });
    for (let at = 0; at < text.length; at += chunk) client.write(text.slice(at, at + chunk));
    client.on('error', () => undefined);
    client.on('data', (data) => {
      received += data;
      if (received.length === text.length) client.end();
    });
    client.once('close', () => resolve(received));
  });
  const { fired } = proxy;
  await proxy.close();
  server.close();
  return { echoed, fired, reached };
}

test('reliability rig: the proxy cuts an answer after exactly so many bytes', async () => {
  const at = { bytes: 3 };
  expect(await echoThrough({ direction: 'to-client', at, does: 'cut' }, 'hello')).toEqual({
    ...{ echoed: 'hel', fired: 1, reached: 'hello' },
  });
});

const message = (type: string, payload: string): string =>
  `${type}\0\0\0${String.fromCharCode(4 + payload.length)}${payload}`;

test('reliability rig: the proxy finds messages of PostgreSQL however their bytes arrive', async () => {
  const messages = [message('', 'user'), message('Q', 'SELECT 1'), message('S', ''), message('X', '')];
  const text = messages.join('');
  for (const chunk of [1, 2, 3, 7, text.length]) {
    const reached = async (at: Fault['at']) =>
      (await echoThrough({ direction: 'to-server', at, does: 'cut' }, text, { protocol: 'postgres', chunk })).reached;
    expect(await reached({ messages: 2 })).toBe(messages.slice(0, 2).join(''));
    expect(await reached({ messageType: 'X' })).toBe(messages.slice(0, 3).join(''));
  }
});

test('reliability rig: an open loop counts the time a call waited for its beginning', async () => {
  const stall = () => {
    const until = performance.now() + 100;
    while (performance.now() < until);
  };
  let calls = 0;
  const offered = await offerLoad([0, 10], async () => {
    calls += 1;
    if (calls === 1) stall();
    return { status: 201, headers: new Headers(), body: {} };
  });
  expect(offered.accepted).toHaveLength(2);
  expect(offered.accepted.every((latencyMs) => latencyMs >= 89)).toBe(true);
  expect(offered.lateness[1]).toBeGreaterThan(80);
});
