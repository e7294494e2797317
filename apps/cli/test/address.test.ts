import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileOfProgram, hasOpenssl, makeCertificates } from '@causeway/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeway, temporaryFolder } from './support/causeway.ts';
import { listen } from './support/listen.ts';
import { createSupplier } from './support/supplier.ts';

const TOKENS = JSON.stringify({
  data: { obtainToken: { token: 'a.b.c', payload: { iat: 0, exp: 3_600 }, refreshToken: 'r' } },
});

function* endless(piece: Buffer) {
  for (;;) yield piece;
}

const passTo = (service: string): RequestListener => {
  return (asked, response) => {
    const { method, url = '', headers } = asked;
    const passed = request(new URL(url, service), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(passed);
  };
};

describe('the address of the service', () => {
  it('25.1.5 that redirects ends with 2 and the address it leads to, which gets no key', async () => {
    const { url, variables } = await createSupplier();
    const port = await listen(
      createServer((asked, response) => void response.writeHead(308, { location: `${url}${asked.url}` }).end()),
    );
    const ended = await causeway(['whoami'], {
      variables: { ...variables, CAUSEWAY_URL: `http://127.0.0.1:${port}` },
    });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`redirects to ${url}`) });
  });

  it('25.1.5 at which something else answers ends with 2, and is not tried again', async () => {
    const answer = JSON.stringify({ data: { obtainToken: { token: 'a.b.c', refreshToken: 'r' } } });
    let asked = 0;
    const port = await listen(
      createServer((_request, response) => {
        asked += 1;
        response.end(answer);
      }),
    );
    const variables = { CAUSEWAY_URL: `http://127.0.0.1:${port}`, CAUSEWAY_API_KEY: 'cw_foreign' };
    const ended = await causeway(['whoami', '--patience', '1s'], { variables });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('it is not Causeway') });
    expect(asked).toBe(1);
  });

  it.each([
    ['tokens', 'whoami', '/v1/graphql/', '1 MB'],
    ['a call', 'whoami', '/v1/data-import/', '256 MB'],
    ['keys', 'verify', '/.well-known/jwks.json', '1 MB'],
  ])('25.1.5 that answers %s without an end ends a command with 2', async (_, command, place, limit) => {
    let asked = 0;
    const piece = Buffer.alloc(1_000_000, 'a');
    const port = await listen(
      createServer(({ url = '' }, response) => {
        if (!url.startsWith(place)) return void response.end(TOKENS);
        asked += 1;
        Readable.from(endless(piece), { highWaterMark: 1 })
          .on('error', () => {})
          .pipe(response);
      }),
    );
    const directory = await temporaryFolder();
    await writeFile(path.join(directory, 'report.jws'), 'a.b.c');
    const address = `http://127.0.0.1:${port}`;
    const words = command === 'verify' ? ['verify', 'report.jws', '--url', address] : [command, '--patience', '10m'];
    const variables = { CAUSEWAY_URL: address, CAUSEWAY_API_KEY: 'cw_foreign' };
    const ended = await causeway(words, { variables, directory });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`${address}${place}`);
    expect(ended.stderr).toContain(`answers with more than ${limit}`);
    expect(asked).toBe(1);
  });

  it('25.1.5 that speaks HTTP where HTTPS was asked, or the reverse, ends with 2, and is not tried again', async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      response.writeHead(400, { connection: 'close' }).end('Client sent an HTTP request to an HTTPS server.');
    });
    server.on('connection', () => {
      asked += 1;
    });
    const address = `127.0.0.1:${await listen(server)}`;
    for (const [words, scheme, said] of [
      [['whoami'], 'https', 'does not speak HTTPS'],
      [['admin', 'teams', 'list'], 'https', 'does not speak HTTPS'],
      [['whoami'], 'http', 'speaks HTTPS, not HTTP'],
    ] as const) {
      asked = 0;
      const variables = { CAUSEWAY_URL: `${scheme}://${address}`, CAUSEWAY_API_KEY: 'cw_any' };
      const ended = await causeway([...words, '--patience', '10m'], { variables });
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) });
      expect(asked).toBe(1);
    }
  });

  it.skipIf(!hasOpenssl)('25.1.5 with a certificate of NODE_EXTRA_CA_CERTS is trusted, and no other', async () => {
    const { url, variables, code } = await createSupplier();
    const service = await serveOverTls('IP:127.0.0.1', passTo(url));
    const call = (words: string[], more: Record<string, string> = {}) =>
      outcome(words, { ...variables, CAUSEWAY_URL: service.url, ...more });
    for (const words of [['whoami'], ['admin', 'teams', 'list'], ['login']]) {
      const ended = await call([...words, '--patience', '10s']);
      expect(ended).toMatchObject({ exitCode: 6, stdout: '' });
      expect(ended.stderr).toMatch(
        /^https:\S+ has a certificate that cannot be verified: .*\((?:SELF_|UNABLE_TO_)\w+\)/,
      );
      expect(ended.stderr).toContain('set NODE_EXTRA_CA_CERTS to');
    }
    const trusting = await call(['whoami'], { NODE_EXTRA_CA_CERTS: service.authority });
    expect(trusting).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(code) });
  });

  it.skipIf(!hasOpenssl)('25.1.5 with the certificate of another name is not tried again', async () => {
    const service = await serveOverTls('DNS:other.example', () => {});
    const ended = await outcome(['whoami', '--patience', '10s'], {
      CAUSEWAY_URL: service.url,
      CAUSEWAY_API_KEY: 'cw_any',
      NODE_EXTRA_CA_CERTS: service.authority,
    });
    expect(ended).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('ERR_TLS_CERT_ALTNAME_INVALID') });
    expect(ended.stderr).toContain('NODE_EXTRA_CA_CERTS');
  });
});

async function serveOverTls(name: string, answer: RequestListener) {
  const { certificate: cert, key, authority, remove } = await makeCertificates(name);
  onTestFinished(() => remove());
  return { url: `https://127.0.0.1:${await listen(createTlsServer({ cert, key }, answer))}`, authority };
}

/** In a process of its own, since Node reads the variable at its start. */
async function outcome(words: string[], env: Record<string, string>) {
  const program = [fileOfProgram('apps/cli/src/main.ts'), ...words];
  const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { exitCode, stdout, stderr };
}
