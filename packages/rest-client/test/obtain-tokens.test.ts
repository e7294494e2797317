import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { obtainTokens } from '../src/index.ts';

it.each(['<html>Bad gateway</html>', 'null', '{}', ''])('5.2 what a proxy answers is no token: %j', async (text) => {
  const proxy = createServer((_request, response) => response.writeHead(502).end(text)).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const obtained = obtainTokens(`http://127.0.0.1:${port}`, { apiKey: 'key' });
  await expect(obtained).rejects.toMatchObject({ name: 'TokenRefusal', code: '502' });
  proxy.close();
});
