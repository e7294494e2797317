import { once } from 'node:events';
import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES, type ErrorCode, FIELD_CODES, REMARKS, TOKEN_CODES } from '@causeway/contracts';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocsRouter } from '../../src/openapi/docs-page.ts';
import { documentText } from '../../src/openapi/document.ts';
import { errorExample } from '../../src/openapi/examples.ts';
import { publishedDocument } from '../support/published-document.ts';

let server: Server;
let base: string;

beforeAll(async () => {
  server = express().use(createDocsRouter()).listen(0, '127.0.0.1');
  // A connection that a machine under load leaves idle is used again.
  server.keepAliveTimeout = 600_000;
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function bundleUrl(): Promise<string> {
  const html = await (await fetch(`${base}/docs`)).text();
  return `${base}${/src="(\/docs\/reference-[0-9a-f]{16}\.js)"/.exec(html)?.[1]}`;
}

describe('the reference page', () => {
  test.each(['/docs', '/docs/'])('13.2 is at %s and loads nothing from outside', async (path) => {
    const response = await fetch(base + path);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await response.text();
    expect(html).toContain('<title>Causeway API</title>');
    expect(html).not.toMatch(/https?:|src="\/\/|<script>|<style|onload=/);
    for (const [, address] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      if (address !== '/openapi.json') expect((await fetch(base + address)).status, address).toBe(200);
    }
  });

  test('13.2 lets the browser fetch from this service only', async () => {
    const policy = (await fetch(`${base}/docs`)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
  });

  test('13.2 tells Scalar to use no server, font or assistant of its makers', async () => {
    const response = await fetch(`${base}/docs/start.js`);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const script = await response.text();
    const settings = JSON.parse(/createApiReference\('#reference', (.*)\);/.exec(script)?.[1] ?? '');
    expect(settings).toMatchObject({
      url: '/openapi.json',
      telemetry: false,
      withDefaultFonts: false,
      agent: { disabled: true },
      mcp: { disabled: true },
    });
    expect(JSON.stringify(settings)).not.toMatch(/https?:/);
  });

  test('13.2 sends the bundle zipped to those who can unzip it, to be kept for ever', async () => {
    const url = await bundleUrl();
    const zipped = await fetch(url);
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(zipped.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(zipped.headers.get('vary')).toBe('Accept-Encoding');
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(Number(plain.headers.get('content-length'))).toBeGreaterThan(Number(zipped.headers.get('content-length')));
    expect(await plain.text()).toBe(await zipped.text());
    const etag = zipped.headers.get('etag') ?? '';
    const [again] = await once(get(url, { headers: { 'if-none-match': etag } }), 'response');
    const { statusCode, headers } = again.resume();
    expect([statusCode, headers['cache-control']]).toEqual([304, zipped.headers.get('cache-control')]);
  });
});

describe('the start page', () => {
  const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

  test('13.4.1 leads a browser from the address of the service to all that it documents', async () => {
    const response = await fetch(`${base}/`, asBrowser);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).not.toMatch(/https?:|<script/);
    const addresses = [...html.matchAll(/href="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(
      expect.arrayContaining(['/docs', '/docs/errors', '/openapi.json', '/cli/', '/readyz', '/healthz']),
    );
    for (const address of addresses.filter((one) => !/z$/.test(one ?? ''))) {
      expect((await fetch(`${base}${address}`)).status, address).toBe(200);
    }
  });

  test('13.4.1 is for browsers: a program at the wrong address is not told that all is well', async () => {
    expect((await fetch(`${base}/`)).status).toBe(404);
  });
});

test('7 13.1.1 /openapi.json is the published document, served a line for each field, and needs no token', async () => {
  const response = await fetch(`${base}/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const text = await response.text();
  expect(text).toBe(documentText());
  expect(JSON.parse(text)).toEqual(publishedDocument);
  expect(text.split('\n').length).toBeGreaterThan(10_000);
});

test('7 /openapi.json is not sent again to those who have it', async () => {
  const etag = (await fetch(`${base}/openapi.json`)).headers.get('etag') ?? '';
  const [again] = await once(get(`${base}/openapi.json`, { headers: { 'if-none-match': etag } }), 'response');
  const { statusCode, headers } = again.resume();
  expect([statusCode, headers['cache-control']]).toEqual([304, 'no-cache']);
  const [other] = await once(get(`${base}/openapi.json`, { headers: { 'if-none-match': '"other"' } }), 'response');
  expect(other.resume().statusCode).toBe(200);
});

const errorsUrl = () => `${base}/docs/errors`;
let html: string;
beforeAll(async () => {
  html = await (await fetch(errorsUrl())).text();
});

/** The words of a code's place on the page, as a reader sees them; undefined where the code has not exactly one. */
function wordsAt(code: string): string | undefined {
  const [, place, another] = html.split(`<section id="${code}">`);
  return another === undefined ? place?.split('</section>')[0]?.replace(/<[^>]+>/g, ' ') : undefined;
}

const words = (text: string) => text.replaceAll('`', ' ').split(/\s+/).join(' ').trim();
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

test.each(Object.entries(ERROR_CODES))('13.3.1 tells all of %s at its own place', (code, row) => {
  const place = wordsAt(code) ?? '';
  const seen = words(place);
  for (const part of [code, String(row.status), row.when, row.cause, row.remedy]) {
    expect(seen).toContain(words(escaped(part)));
  }
  expect(place).toContain(escaped(JSON.stringify(errorExample(code as ErrorCode), null, 2)));
});

test.each(Object.entries(FIELD_CODES))('13.3.1 tells when the field code %s is given', (code, when) => {
  expect(words(wordsAt(code) ?? '')).toContain(words(escaped(when)));
});

test.each(Object.entries(REMARKS))('13.3.1 tells all of the remark %s', (code, row) => {
  const place = wordsAt(code) ?? '';
  const seen = words(place);
  for (const part of [row.when, row.cause, row.remedy]) expect(seen).toContain(words(escaped(part)));
  for (const attr of row.example.errors) expect(place).toContain(`"attr": "${attr}"`);
  expect(place).toContain('"refused": false');
});

test.each(Object.values(TOKEN_CODES))(
  '13.3.1 tells all of $errorCode',
  ({ errorCode, status, errorDescription, remedy }) => {
    const seen = words(wordsAt(errorCode) ?? '');
    for (const part of [String(status), errorDescription, remedy]) expect(seen).toContain(words(part));
  },
);

test.each(['line_too_long', 'duplicate_in_file', 'bulk_part_differs', 'bulk_part_invalid'])(
  '13.3.1 %s is not among the codes of the service team: suppliers get it',
  (code) => {
    expect(html.indexOf(`<section id="${code}">`)).toBeLessThan(html.indexOf('<h2>Field codes</h2>'));
  },
);

test('13.3.1 the page of errors needs no script and nothing from elsewhere', async () => {
  const { status, headers } = await fetch(errorsUrl());
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self';/,
  );
  expect(html).not.toMatch(/<script|https?:|src=|undefined|\{\{/);
  for (const [, address] of html.matchAll(/href="(\/[^"]*)"/g)) {
    expect((await fetch(new URL(address ?? '', errorsUrl()))).status, address).toBe(200);
  }
});

test('13.3.2 the page of errors is not sent again to those who have it', async () => {
  const etag = (await fetch(errorsUrl())).headers.get('etag') ?? '';
  const [again] = await once(get(errorsUrl(), { headers: { 'if-none-match': etag } }), 'response');
  expect(again.resume().statusCode).toBe(304);
});
