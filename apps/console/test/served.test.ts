import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildIfChanged } from '../build/build-if-changed.ts';
import { service } from './support/open-console.ts';

const { url } = service;
const ask = (address: string, options: RequestInit = {}) => fetch(url + address, options);

/** As it stands: `fetch` would take the dots out, and ask for newer files than a cache has. */
function askRaw(address: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: address, headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

test('26.1.1 every address below /console/ answers with the page, under a policy with a nonce of its own', async () => {
  const nonces = new Set<string>();
  for (const address of [
    '/console/',
    '/console/accounts?q=HV',
    '/console/accounts/HARBOUR-VALE/HV%2F1',
    '/console/a/b.js',
  ]) {
    const answer = await ask(address);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = answer.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? '';
    expect(policy).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    const page = await answer.text();
    expect(page).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
    expect(page).not.toContain('NONCE_OF_THE_ANSWER');
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

test('26.1.1 the frame of e-mails has no script, no call and no picture of another host, but any style', async () => {
  const answer = await ask('/console/frame');
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin`,
  );
  expect(await answer.text()).toMatch(/^<!doctype html>.*<body><\/body><\/html>$/);
});

test('26.1.1 /console leads to /console/', async () => {
  const answer = await ask('/console', { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([308, '/console/']);
});

test('26.1.2 every file that was built is kept for a year, and sent packed, whole or not at all', async () => {
  const names = await readdir(path.join(await buildIfChanged(), 'assets'));
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    expect(name).toMatch(/-[\w-]{8}\.(js|css)$/);
    const answer = await ask(`/console/assets/${name}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
    });
    expect((await answer.text()).length).toBeGreaterThan(0);
    const etag = answer.headers.get('etag') ?? '';
    expect(await askRaw(`/console/assets/${name}`, { 'if-none-match': etag })).toBe(304);
  }
});

test.each([
  '/console/assets/missing-12345678.js',
  '/console/assets/..%2findex.html',
  '/console/assets/..%2f.sources',
  '/console/assets/..%2f..%2fpackage.json',
  '/console/assets/%2e%2e%2f%2e%2e%2fpackage.json',
  '/console/assets/..%5c..%5cpackage.json',
  '/console/assets/index.html%00.js',
])('26.1.2 %s is nothing that can be read', async (address) => {
  expect(await askRaw(address)).toBe(404);
});

test('26.1.2 what is above the folder of the files is the page or a 404, never a file', async () => {
  const answers = ['/console/assets/../../package.json', '/console/../../../etc/passwd', '/console/.sources'];
  for (const address of answers) expect([200, 404]).toContain(await askRaw(address));
  expect(await (await ask('/console/.sources')).text()).toContain('<div id="root">');
});

test('26.1.2 addresses of the console take GET and HEAD', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await ask('/console/login', { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
  expect((await ask('/console/login', { method: 'HEAD' })).status).toBe(200);
});
