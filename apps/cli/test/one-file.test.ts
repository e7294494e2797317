import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { bundle } from '../src/build/bundle.ts';
import { temporaryFolder } from './support/causeway.ts';
import { createSupplier } from './support/supplier.ts';

const FILE = '/cli/causeway.mjs';

const get = (place: string, headers: Record<string, string> = {}) =>
  fetch(new URL(place, inject('sharedService').url), { headers });

async function serviceVersion(): Promise<string> {
  return JSON.parse(await readFile(path.resolve(import.meta.dirname, '../../../package.json'), 'utf8')).version;
}

describe('the one file', () => {
  it('25.9.1 is what the sources say, logs in at the service that served it, and checks a book in threads', async () => {
    const [served, built, { url, apiKey, code }, folder] = await Promise.all([
      get(FILE).then((response) => response.text()),
      bundle(),
      createSupplier(),
      temporaryFolder(),
    ]);
    expect(served === built.text).toBe(true);
    const file = path.join(folder, 'causeway.mjs');
    await writeFile(file, served);
    const env = { HOME: folder, CAUSEWAY_API_KEY: apiKey };
    const causeway = (...words: string[]) => promisify(execFile)(process.execPath, [file, ...words], { env });
    expect((await causeway('--version')).stdout).toBe(`${await serviceVersion()}\n`);
    await causeway('login', '--url', url);
    const { stdout, stderr } = await causeway('whoami', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ url, import_suppliers: [{ code }] });
    expect(stderr).toBe('');
    // Its threads are the same file.
    await writeFile(path.join(folder, 'book'), '{"account":{}}');
    const report = path.join(folder, 'report');
    await expect(
      causeway('validate', path.join(folder, 'book'), '--supplier', 'X', '--report', report),
    ).rejects.toMatchObject({ code: 3, stdout: expect.stringContaining('0 accepted, 1 refused') });
  });

  it('25.9.1 says which Node it needs where an older one runs it', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'causeway.mjs');
    await writeFile(file, (await bundle()).text);
    const older = `delete process.getBuiltinModule('zlib').createZstdDecompress`;
    const words = ['--import', `data:text/javascript,${older}`, file, '--version'];
    await expect(promisify(execFile)(process.execPath, words)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: `causeway needs Node 22.15 or newer: this is ${process.versions.node}.\n`,
    });
  });

  it('25.9.2 comes with its digest, and is not sent again to those who have it', async () => {
    const [whole, digest] = await Promise.all([get(FILE), get(`${FILE}.sha256`)]);
    const text = await whole.text();
    expect(await digest.text()).toBe(`${createHash('sha256').update(text).digest('hex')}  causeway.mjs\n`);
    const { headers } = whole;
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect([headers.get('content-encoding'), headers.get('cache-control')]).toEqual(['gzip', 'no-cache']);
    const plain = await get(FILE, { 'accept-encoding': 'identity' });
    expect(Number(plain.headers.get('content-length'))).toBe(Buffer.byteLength(text));
    // Not fetch, which wants a whole answer for a request with a condition of its own.
    const conditional = { headers: { 'if-none-match': headers.get('etag') ?? '' } };
    const [again] = await once(httpGet(whole.url, conditional), 'response');
    expect(again.resume().statusCode).toBe(304);
    const head = await fetch(whole.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  });

  it('25.9.2 is at an address that says how to get and run it, to a terminal and to a browser', async () => {
    const { url } = inject('sharedService');
    const text = await get('/cli/');
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await text.text()).toContain(`  curl -fO ${url}${FILE}\n`);
    const page = await get('/cli/', { accept: 'text/html' });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain(`<pre>curl -fO ${url}${FILE}\n`);
  });
});
