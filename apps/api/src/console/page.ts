import { randomBytes } from 'node:crypto';

/** Where `apps/console/vite.config.ts` has the nonce written. */
const PLACE_OF_NONCE = /NONCE_OF_THE_ANSWER/g;

/**
 * An empty document in which the console shows the HTML of an e-mail: with any style, since e-mails have them in their
 * tags, but without scripts, calls and pictures of other hosts, whoever wrote it.
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
