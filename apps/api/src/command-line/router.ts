import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Request, Router } from 'express';
import { type Published, publish, send, sendPublished } from '../answers/publish.ts';
import { buildInfo } from '../build-info.ts';
import { PAGE_POLICY, page } from '../openapi/page.ts';

interface CommandLine {
  file: Published;
  digest: Published;
}

/**
 * `GET /cli/causeway.mjs`, the command line as one file; `GET /cli/causeway.mjs.sha256`, its digest as `sha256sum -c`
 * reads it; and `GET /cli/`, how to get and run it, as a page or as text (behaviour 25.9).
 */
export function createCommandLineRouter(): Router {
  const router = Router();
  let loading: Promise<CommandLine> | undefined;
  const commandLine = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  router.get('/cli/causeway.mjs', async (request, response) => {
    sendPublished((await commandLine()).file, 'text/javascript', { request, response });
  });
  router.get('/cli/causeway.mjs.sha256', async (request, response) => {
    sendPublished((await commandLine()).digest, 'text/plain', { request, response });
  });
  router.get('/cli', (request, response) => {
    const address = addressOf(request);
    const isBrowser = request.headers.accept?.includes('text/html') === true;
    response.setHeader('Vary', 'Accept');
    if (isBrowser) response.setHeader('Content-Security-Policy', PAGE_POLICY);
    send(response, {
      type: isBrowser ? 'text/html' : 'text/plain',
      // It has the address as the caller sees it: for nobody else.
      cache: 'no-store',
      content: isBrowser ? howToPage(address) : howToText(address),
    });
  });
  return router;
}

async function load(): Promise<CommandLine> {
  const bytes = await loadFile();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { file: publish(bytes), digest: publish(`${digest}  causeway.mjs\n`) };
}

const PLAIN_HOST = /^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i;

/** The service as its caller sees it. A name that a shell or a browser would read as more than a name is not shown. */
function addressOf({ protocol, host = '' }: Request): string {
  return PLAIN_HOST.test(host) ? `${protocol}://${host}` : 'https://causeway.example';
}

const WHAT = `The command line moves a supplier's book from files, and proves what arrived. It is one file, which needs
Node 22.15 or newer and nothing else.`;

function commandsAt(address: string): string {
  return `curl -fO ${address}/cli/causeway.mjs
curl -f ${address}/cli/causeway.mjs.sha256 | sha256sum -c
causeway() { node causeway.mjs "$@"; }
causeway login --url ${address}
causeway --help`;
}

/** For a terminal: `curl ADDRESS/cli/`. */
export function howToText(address: string): string {
  return `${WHAT}\n\n${commandsAt(address).replace(/^/gm, '  ')}\n`;
}

/** The same for a browser. */
export function howToPage(address: string): string {
  return page(
    'The command line of Causeway',
    `<main>
<h1>The command line</h1>
<p>${WHAT}</p>
<pre>${commandsAt(address)}</pre>
<p><a href="/cli/causeway.mjs" download>causeway.mjs</a> and <a href="/cli/causeway.mjs.sha256">its SHA-256</a>.
<code>causeway help move</code> shows how a command is used; the <a href="/docs">reference</a> has the way from
files to a reconciled migration.</p>
</main>`,
  );
}

const COMMAND_LINE = new URL('../../../cli/', import.meta.url);
const MAX_BYTES = 16_777_216;

/**
 * The command line as one file. The production folder contains it; in the repository a process builds it, in a second,
 * so that no start waits for it and what is served is what the sources say.
 */
export async function loadFile(): Promise<Buffer> {
  if (buildInfo.isBuilt) return readFile(new URL('dist/causeway.mjs', COMMAND_LINE));
  const program = fileURLToPath(new URL('src/build/main.ts', COMMAND_LINE));
  const options = { encoding: 'buffer', maxBuffer: MAX_BYTES } as const;
  return (await promisify(execFile)(process.execPath, [program], options)).stdout;
}
