import { randomUUID } from 'node:crypto';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The id a request is answered and logged under (design 4.3): the one its X-Request-Id header gives, if that is 1 to 128
 * of `A-Z a-z 0-9 . _ -`; a new UUID otherwise.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && SANE_REQUEST_ID.test(header) ? header : randomUUID();
}
