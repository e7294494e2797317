import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Response, Router } from 'express';
import { encoded, type Published, publish, send } from '../answers/publish.ts';
import { WireRefusal } from '../http/wire-refusal.ts';

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

/** What the browser is told of a file, by the end of its name; no other file is served. */
const TYPES: Record<string, string> = { '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

export interface ConsoleFile extends Published {
  type: string;
}

/** The console as it was built: its page, and each file of `assets` under its name. */
export interface ConsoleFiles {
  page: string;
  assets: ReadonlyMap<string, ConsoleFile>;
}

/**
 * Reads all of the console once: a request can only name what is known, and never reaches the disk. Undefined if it was
 * not built.
 */
export async function loadFiles(folder: URL): Promise<ConsoleFiles | undefined> {
  const page = await readFile(new URL('index.html', folder), 'utf8').catch(() => undefined);
  if (page === undefined) return undefined;
  const assets = new URL('assets/', folder);
  const files = (await readdir(assets)).flatMap((name) => {
    const type = TYPES[path.extname(name)];
    return type === undefined ? [] : [{ name, type }];
  });
  const read = await Promise.all(
    files.map(async ({ name, type }) => {
      return [name, { ...publish(await readFile(new URL(name, assets))), type }] as const;
    }),
  );
  return { page, assets: new Map(read) };
}

/** Where `apps/console/vite.config.ts` has the nonce written. */
const PLACE_OF_NONCE = /NONCE_OF_THE_ANSWER/g;

/**
 * An empty document in which the console shows the HTML of an e-mail: with any style, since e-mails have them in their
 * tags, but without scripts, calls and pictures of other hosts, no matter who wrote it.
 */
export const FRAME: ConsolePage = {
  content: '<!doctype html><html lang="en-GB"><head><title>E-mail</title></head><body></body></html>',
  policy: [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; '),
};

/** One answer with the page of the console: what it contains, and the policy that it is under. */
export interface ConsolePage {
  content: string;
  policy: string;
}

/**
 * The page with a nonce of its own. Only styles need one: React Aria inserts a style element (react-spectrum#8273), and
 * takes the nonce from the page's `meta`.
 */
export function consolePage(page: string): ConsolePage {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { content: page.replaceAll(PLACE_OF_NONCE, nonce), policy };
}
