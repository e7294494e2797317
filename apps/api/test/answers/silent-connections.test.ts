import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { answerUnreadableRequests } from '../../src/answers/unreadable-requests.ts';

test('16.7.2 a request that is not answered in time is told so, before its connection is closed', async () => {
  const server = createServer((_request, response) => Object.assign(response, { locals: {} }));
  onTestFinished(() => void server.close());
  answerUnreadableRequests(server);
  server.timeout = 50;
  await once(server.listen(0), 'listening');
  const answer = await fetch(`http://localhost:${(server.address() as AddressInfo).port}`, {
    method: 'PUT',
    body: 'x',
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await answer.json()).toMatchObject({
    code: 'service_unavailable',
    detail: expect.stringContaining('in time'),
  });
});
