import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { fileOfProgram, hasOpenssl, makeCertificates } from '@causeway/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { causeway } from './support/causeway.ts';
import { listen } from './support/listen.ts';
import { createSupplier } from './support/supplier.ts';

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

  it.skipIf(!hasOpenssl)('25.1.5 with a certificate of NODE_EXTRA_CA_CERTS is trusted, and no other', async () => {
    const [{ url, variables, code }, certificates] = [await createSupplier(), await makeCertificates('IP:127.0.0.1')];
    onTestFinished(() => certificates.remove());
    const { certificate: cert, key, authority } = certificates;
    const port = await listen(createTlsServer({ cert, key }, passTo(url)));
    const whoami = async (more: Record<string, string>) => {
      const words = [fileOfProgram('apps/cli/src/main.ts'), 'whoami', '--patience', '0s'];
      const env = { ...variables, CAUSEWAY_URL: `https://127.0.0.1:${port}`, ...more };
      const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const [stdout, stderr, [exitCode]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit'),
      ]);
      return { exitCode, stdout, stderr };
    };
    expect(await whoami({})).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('certificate') });
    const trusting = await whoami({ NODE_EXTRA_CA_CERTS: authority });
    expect(trusting).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(code) });
  });
});
