import { afterAll, expect, test, vi } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import { openSocket, requestHead } from './raw-sockets.ts';

const LOG_WRITTEN_EVERY_MS = 500;
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

test('16.6.5 a service that was stopped leaves no interval behind but that of the log', async () => {
  const started = vi.spyOn(globalThis, 'setInterval');
  const cleared = vi.spyOn(globalThis, 'clearInterval');
  const instance = await service.startInstance();
  await instance.stop();
  const intervals = started.mock.results.map(({ value }, index) => ({ value, ms: started.mock.calls[index]?.[1] }));
  const ended = new Set<unknown>(cleared.mock.calls.map(([interval]) => interval));
  vi.restoreAllMocks();
  expect(intervals.length).toBeGreaterThan(1);
  expect(intervals.filter(({ value }) => !ended.has(value)).map(({ ms }) => ms)).toEqual([LOG_WRITTEN_EVERY_MS]);
});
