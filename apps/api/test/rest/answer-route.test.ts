import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { appRouter } from '../../src/procedures/router.ts';
import { createAnswer } from '../../src/rest/answer-route.ts';
import { routesOf } from '../../src/rest/routes.ts';

const route = routesOf(appRouter).find(({ procedurePath }) => procedurePath === 'dataImport.listProblems');

test('7.2 what a reply cannot be sent as is an error of ours, and not the text of a library with the status of a success', async () => {
  if (route === undefined) throw new Error('There is no such route');
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method: 'HEAD', url: '/v1/data-import/problems/HV/?x=1' });
  const response = new ServerResponse(request);
  const reply = { status: 200, headers: {}, body: [1n] };
  await expect(createAnswer(route)(request, response, async () => reply)).rejects.toThrow(TypeError);
  expect([response.headersSent, request.method, request.url]).toEqual([
    false,
    'HEAD',
    '/v1/data-import/problems/HV/?x=1',
  ]);
});
