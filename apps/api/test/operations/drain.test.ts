import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { openSocket, requestHead } from './raw-sockets.ts';

const service = await startTestService();
afterAll(service.stop);

test('16.6 a request that is on its way when the service is told to stop is answered, and ends its connection', async () => {
  const instance = await service.startInstance();
  const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(instance.url)));
  for (const socket of sockets) socket.write(requestHead('GET /healthz'));
  for (const socket of sockets) await socket.read(/"alive"\}/);
  const stopped = instance.stop();
  for (const socket of sockets) socket.write(requestHead('GET /healthz'));
  for (const socket of sockets) {
    const [, , second] = (await socket.closed()).split('HTTP/1.1 ');
    expect(second).toMatch(/^200 OK.*Connection: close/is);
  }
  await stopped;
});
