import { type Response, Router } from 'express';
import { encoded, send } from '../answers/publish.ts';
import { WireRefusal } from '../http/wire-refusal.ts';
import { type ConsoleFiles, loadFiles } from './load-files.ts';
import { type ConsolePage, consolePage, FRAME } from './page.ts';

const BUILT = new URL('../../../console/dist/', import.meta.url);
const ONE_YEAR = 'public, max-age=31536000, immutable';

/**
 * `GET /console/` and every address below it: the page, which knows itself what is at that address; and the files of
 * `/console/assets/`, whose names contain their digests (behaviour 26.1).
 */
export function createConsoleRouter(folder = BUILT): Router {
  const router = Router({ strict: true });
  let loading: Promise<ConsoleFiles | undefined> | undefined;
  const files = async () => {
    loading ??= loadFiles(folder);
    const loaded = await loading;
    if (loaded !== undefined) return loaded;
    loading = undefined;
    throw new WireRefusal('not_found', 'The console was not built: start the service with `npx pnpm@12 start`.');
  };
  router.get('/console', (_request, response) => response.redirect(308, '/console/'));
  router.get('/console/assets/:name', async (request, response) => {
    const file = (await files()).assets.get(request.params.name);
    if (file === undefined) throw new WireRefusal('not_found', 'The console has no such file: load its page again.');
    response.setHeader('ETag', file.etag).setHeader('Vary', 'Accept-Encoding').setHeader('Cache-Control', ONE_YEAR);
    if (request.fresh) response.status(304).end();
    else send(response, { type: file.type, cache: ONE_YEAR, content: encoded(file, request, response) });
  });
  router.get('/console/frame', (_request, response) => sendPage(response, FRAME));
  router.get('/console/{*path}', async (_request, response) => {
    sendPage(response, consolePage((await files()).page));
  });
  router.all('/console/{*path}', (_request, response) => {
    response.setHeader('Allow', 'GET, HEAD');
    throw new WireRefusal('method_not_allowed', 'This address takes GET, HEAD.');
  });
  return router;
}

function sendPage(response: Response, { content, policy }: ConsolePage): void {
  response.setHeader('Content-Security-Policy', policy).setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  send(response, { type: 'text/html', cache: 'no-cache', content });
}
