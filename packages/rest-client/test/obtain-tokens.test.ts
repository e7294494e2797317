import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { obtainTokens } from '../src/index.ts';

/** Something that answers every request with this. */
async function startForeign(status: number, text: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(text)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each(['<html>Bad gateway</html>', 'null', '{}', ''])('5.2 what a proxy answers is no token: %j', async (text) => {
  const obtained = obtainTokens(await startForeign(502, text), { apiKey: 'key' });
  await expect(obtained).rejects.toMatchObject({ name: 'TokenRefusal', code: '502' });
});

const answerOf = (obtainToken: unknown) => JSON.stringify({ data: { obtainToken } });

it.each([
  ...['<html>Welcome</html>', 'null', '{}', '{"data":null,"errors":null}', '{"errors":{}}'],
  ...[true, { token: 'a.b.c', refreshToken: 'r' }, { token: 'a.b.c', payload: null, refreshToken: 'r' }].map(answerOf),
  answerOf({ token: 'a.b.c', payload: { exp: 3_600 }, refreshToken: 'r' }),
  answerOf({ token: 1, payload: { iat: 0, exp: 3_600 }, refreshToken: 'r' }),
])('25.1.5 what answers like this is not the service: %j', async (text) => {
  const obtained = obtainTokens(await startForeign(200, text), { apiKey: 'key' });
  await expect(obtained).rejects.toMatchObject({ name: 'NotTheService' });
});
