import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRestClient, NotTheService, Redirected, repeatAfter } from '../src/index.ts';
import { sendRequest } from '../src/send-request.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const BODY = '{"name":"Zoë Ødegård","paid":"12.50 €"}';
const BYTES = Buffer.byteLength(BODY);
const GET = { method: 'GET', headers: {}, timeLimitMs: 600_000, longest: 1_000 };

/** A server of bare connections. `answer` is called for each piece that comes on one. */
async function serve(answer: (socket: Socket, piece: Buffer) => void) {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => answer(socket, piece));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

async function writeByteByByte(socket: Socket, text: string): Promise<void> {
  for (const byte of Buffer.from(text)) {
    socket.write(Uint8Array.of(byte));
    await turn();
  }
}

const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Rejects with what `rejected` has as its cause. */
const causeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    (error: Error) => error.cause,
  );

describe('19.7 one request of the REST client', () => {
  it.each([
    ['with its length', `${HEAD}Content-Length: ${BYTES}\r\n\r\n${BODY}`],
    [
      'in chunks',
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunked(BODY.slice(0, 11))}${chunked(BODY.slice(11))}0\r\n\r\n`,
    ],
    ['until the connection ends', `${HEAD}Connection: close\r\n\r\n${BODY}`],
  ])('19.7 collects an answer that comes byte by byte, %s', async (_, answer) => {
    const { url } = await serve((socket) => {
      void writeByteByByte(socket, answer).then(() => answer.includes('Connection: close') && socket.end());
    });
    expect(await sendRequest(url, GET)).toMatchObject({ status: 200, text: BODY });
  });

  const half = BODY.slice(0, 20);
  const ends = {
    'is closed': (socket: Socket) => socket.end(),
    'is reset': (socket: Socket) => socket.resetAndDestroy(),
  };
  const cuts = {
    'before the head': '',
    'in the head': `${HEAD}Content-`,
    'after an upgrade': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n',
    'before the body': `${HEAD}Content-Length: ${BYTES}\r\n\r\n`,
    'in a body with its length': `${HEAD}Content-Length: ${BYTES}\r\n\r\n${half}`,
    'one byte before the end': `${HEAD}Content-Length: ${BYTES + 1}\r\n\r\n${BODY}`,
    'in a chunk': `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunked(BODY).slice(0, 20)}`,
    'between chunks': `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunked(BODY)}`,
  };
  for (const [place, answer] of Object.entries(cuts)) {
    for (const [how, end] of Object.entries(ends)) {
      it(`19.7 fails where the connection ${how} ${place}`, async () => {
        const { url } = await serve((socket) => void socket.write(answer, () => end(socket)));
        expect(await causeOf(sendRequest(url, GET))).toBeInstanceOf(Error);
      });
    }
  }

  it('19.7 is sent again where half a JSON body came without its length', async () => {
    let requests = 0;
    const { url } = await serve((socket, piece) => {
      if (piece.includes('graphql')) return void socket.end(tokenAnswer());
      requests += 1;
      socket.end(`${HEAD}Connection: close\r\n\r\n${requests === 1 ? half : BODY}`);
    });
    const client = createRestClient({ url, apiKey: 'key', patienceMs: 600_000 });
    expect(await client.get('a')).toMatchObject({ status: 200, body: JSON.parse(BODY) });
    expect(requests).toBe(2);
  });

  it('19.7 takes an answer that comes before its own body is sent, and gives up the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const { url, sockets } = await serve((socket) => {
      socket.pause().on('close', () => closed.resolve());
      socket.write(`HTTP/1.1 413 Too Large\r\nContent-Length: ${BYTES}\r\n\r\n${BODY}`);
    });
    const body = Buffer.alloc(67_108_864);
    expect(await sendRequest(url, { ...GET, method: 'PUT', body })).toMatchObject({ status: 413, text: BODY });
    for (const socket of sockets) socket.resume();
    await closed.promise;
  });

  it('19.7 uses a kept connection again; if that was cut meanwhile, fails, and then opens another one', async () => {
    let requests = 0;
    const { url, sockets } = await serve((socket) => {
      requests += 1;
      if (requests === 3) return void socket.resetAndDestroy();
      socket.write(`${HEAD}Content-Length: ${BYTES}\r\n\r\n${BODY}`);
    });
    const send = () => sendRequest(url, { ...GET, method: 'POST', body: '{}' });
    await send();
    await send();
    expect(sockets.size).toBe(1);
    const failure = await send().catch((error: Error) => error);
    expect(failure).toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(repeatAfter({ failure }, 1)).toBeGreaterThan(0);
    expect(await send()).toMatchObject({ text: BODY });
    expect(sockets.size).toBe(2);
  });

  it.each([
    ['nothing', ''],
    ['a part', `${HEAD}Content-Length: ${BYTES}\r\n\r\n${half}`],
  ])('19.7 fails when its time is over and %s has come', async (_, answer) => {
    const { url } = await serve((socket) => void socket.write(answer));
    expect(String(await causeOf(sendRequest(url, { ...GET, timeLimitMs: 50 })))).toContain('50 ms');
  });

  it('19.7 fails where nobody listens, and says so', async () => {
    expect(await causeOf(sendRequest('http://127.0.0.1:1', GET))).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('19.12 gives up an answer that is too long, says its address, and does not send again', async () => {
    const { url, sockets } = await serve((socket) => void socket.write(`${HEAD}\r\n${BODY}`));
    const failure = await sendRequest(url, { ...GET, longest: BODY.length - 1 }).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(NotTheService);
    expect(String(failure)).toContain(url);
    expect(repeatAfter({ failure }, 1)).toBeUndefined();
    expect(sockets.size).toBe(1);
  });

  it('19.7 sends the length of its body', async () => {
    const heads: string[] = [];
    const { url } = await serve((socket, piece) => {
      if (!piece.includes('HTTP/1.1')) return;
      heads.push(piece.toString());
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    for (const body of ['é', Buffer.from('é'), undefined]) await sendRequest(url, { ...GET, method: 'POST', body });
    expect(heads.map((head) => /content-length: (\d+)/i.exec(head)?.[1])).toEqual(['2', '2', '0']);
  });
});

describe('19.11 a redirect', () => {
  const elsewhere = (host: string) => `HTTP/1.1 308 Elsewhere\r\nLocation: ${host}\r\nContent-Length: 0\r\n\r\n`;

  it('19.11 of a call is not followed, and not sent again', async () => {
    const other = await serve((socket) => void socket.end(tokenAnswer()));
    const { url } = await serve((socket, piece) => {
      socket.end(piece.includes('graphql') ? tokenAnswer() : elsewhere(other.url));
    });
    const client = createRestClient({ url, apiKey: 'key', patienceMs: 600_000 });
    const failure = await client.get('a').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Redirected);
    expect(String(failure)).toContain(other.url);
    await expect(client.open('a', '*/*')).resolves.toMatchObject({ status: 308 });
    expect([client.requestCount(), other.sockets.size]).toEqual([1, 0]);
  });

  it('19.11 of ObtainToken is not followed: nobody else gets the key', async () => {
    const other = await serve((socket) => void socket.end(tokenAnswer()));
    const { url } = await serve((socket) => void socket.end(elsewhere(other.url)));
    const client = createRestClient({ url, apiKey: 'key', patienceMs: 600_000 });
    await expect(client.get('a')).rejects.toThrow(other.url);
    expect(other.sockets.size).toBe(0);
  });
});

function tokenAnswer(): string {
  const body = JSON.stringify({
    data: { obtainToken: { token: 'abc', payload: { iat: 1_000, exp: 4_600 }, refreshToken: 'next' } },
  });
  return `${HEAD}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
