import { once } from 'node:events';
import { get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ERROR_CODES, type ErrorCode, FIELD_CODES, REPORTED_PROBLEMS, TOKEN_CODES } from '@causeway/contracts';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocsRouter } from '../../src/openapi/docs-page.ts';
import { errorExample } from '../../src/openapi/examples.ts';

let server: Server;
let url: string;
let html: string;

beforeAll(async () => {
  server = express().use(createDocsRouter()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/errors`;
  html = await (await fetch(url)).text();
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
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

test.each(Object.entries(REPORTED_PROBLEMS))('13.3.1 tells all of the reported problem %s', (code, row) => {
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
  const { status, headers } = await fetch(url);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self';/,
  );
  expect(html).not.toMatch(/<script|https?:|src=|undefined|\{\{/);
  for (const [, address] of html.matchAll(/href="(\/[^"]*)"/g)) {
    expect((await fetch(new URL(address ?? '', url))).status, address).toBe(200);
  }
});

test('13.3.2 the page of errors is not sent again to those who have it', async () => {
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const [again] = await once(get(url, { headers: { 'if-none-match': etag } }), 'response');
  expect(again.resume().statusCode).toBe(304);
});
