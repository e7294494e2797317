import { ErrorBody } from '@causeway/contracts';
import { NotTheService } from './not-the-service.ts';
import { TokenRefusal } from './obtain-tokens.ts';
import { PASSING_CODES } from './passing-codes.ts';
import { Redirected } from './redirected.ts';
import { untrustedCertificate } from './untrusted-certificate.ts';

/** What came back of one call. */
export interface Answer {
  /** Method and path, for people. */
  request: string;
  requestId: string;
  status: number;
  body: unknown;
  /** What the answer tells of the request beside its body: undocumented fields, and doubtful ones that were accepted. */
  remarks?: readonly { code: string; attr: string }[];
}

/** One attempt of a call: its answer or, if there was none, why: a cut connection, a time-out, or an error of ours. */
export type Attempt = { answer: Answer; retryAfterMs: number } | { answer?: undefined; failure: unknown };

const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** Of ObtainToken: the service cannot answer now, or has had too many calls. */
const PASSING_TOKEN_CODES = /^(?:408|429|5\d\d|CW-1000|CW-1006|CW-1007|CW-1104|CW-1105)$/;

/**
 * The pause before a call is sent again, in milliseconds; undefined if that would not help (behaviour 19.7). It is drawn
 * anew each time, from a range that doubles with each attempt up to 30 seconds, so that callers do not come back
 * together, and is no shorter than `Retry-After`.
 *
 * @param attempts how many there were, this one included
 */
export function repeatAfter(attempt: Attempt, attempts: number): number | undefined {
  if (!mayPass(attempt)) return undefined;
  const longestMs = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** attempts);
  const pauseMs = SHORTEST_PAUSE_MS + Math.random() * (longestMs - SHORTEST_PAUSE_MS);
  return attempt.answer === undefined ? pauseMs : Math.max(pauseMs, attempt.retryAfterMs);
}

function mayPass(attempt: Attempt): boolean {
  const { answer } = attempt;
  if (answer === undefined) {
    const { failure } = attempt;
    if (failure instanceof Redirected || failure instanceof NotTheService) return false;
    if (untrustedCertificate(failure) !== undefined) return false;
    return !(failure instanceof TokenRefusal) || PASSING_TOKEN_CODES.test(failure.code);
  }
  const { status } = answer;
  return status === 408 || status === 429 || status >= 500 || PASSING_CODES.includes(codeOf(answer));
}

/** The stable code of an answer that is an error body; undefined for any other. */
export function codeOf(answer: Answer): string | undefined {
  return answer.status >= 400 ? ErrorBody.safeParse(answer.body).data?.code : undefined;
}
