import { once } from 'node:events';
import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocsRouter } from '../../src/openapi/docs-page.ts';
import { documentText } from '../../src/openapi/document.ts';
import { publishedDocument } from '../support/published-document.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  server = express().use(createDocsRouter()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('7 /openapi.json is the published document, and needs no token', async () => {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(publishedDocument);
});

test('13.1.1 /openapi.json is served a line for each field', async () => {
  const text = await (await fetch(url)).text();
  expect(text).toBe(documentText());
  expect(text.split('\n').length).toBeGreaterThan(10_000);
});

test('7 /openapi.json is not sent again to those who have it', async () => {
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const [again] = await once(get(url, { headers: { 'if-none-match': etag } }), 'response');
  const { statusCode, headers } = again.resume();
  expect([statusCode, headers['cache-control']]).toEqual([304, 'no-cache']);
  const [other] = await once(get(url, { headers: { 'if-none-match': '"other"' } }), 'response');
  expect(other.resume().statusCode).toBe(200);
});
