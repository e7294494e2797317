import { createHash } from 'node:crypto';
import { type Request, Router } from 'express';
import { type Published, publish, send, sendPublished } from '../answers/publish.ts';
import { PAGE_POLICY } from '../openapi/page.ts';
import { howToPage, howToText } from './how-to.ts';
import { loadFile } from './load-file.ts';

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
