const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that a caller gives its request as X-Request-Id, if that is 1 to 128 of `A-Z a-z 0-9 . _ -`. */
export function callerRequestIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && SANE_REQUEST_ID.test(header) ? header : undefined;
}
