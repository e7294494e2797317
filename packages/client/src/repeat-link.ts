import type { AppRouter } from '@causeway/api/router';
import { PASSING_CODES, untrustedCertificate } from '@causeway/rest-client/portable';
import type { Operation, TRPCClientError, TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { type Failure, failureOf } from './failure.ts';
import { wait } from './wait.ts';

export interface RepeatOptions {
  /** How often a call is sent at most. */
  attempts: number;
  /** Before the first repeat; it doubles with each. A Retry-After that is longer counts. */
  firstPauseMs: number;
  /** Called before a call is repeated because its token has expired: the next one has to be another. */
  forgetToken: () => void;
}

const MAX_PAUSE_MS = 10_000;

/** Sends a call again as long as that is worth it and safe (behaviour 19.8). */
export function repeatLink({ attempts, firstPauseMs, forgetToken }: RepeatOptions): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let running: Unsubscribable | undefined;
        let pause: AbortController | undefined;
        function attempt(number: number): void {
          running = next(op).subscribe({
            next: (value) => observer.next(value),
            complete: () => observer.complete(),
            error(error) {
              const failure = failureOf(error);
              if (number >= attempts || !isRepeatable(op, failure) || untrustedCertificate(error) !== undefined) {
                observer.error(error);
                return;
              }
              if (isExpiredToken(failure)) forgetToken();
              pause = new AbortController();
              const signal = op.signal ? AbortSignal.any([op.signal, pause.signal]) : pause.signal;
              wait(pauseAfter(error, firstPauseMs * 2 ** (number - 1)), signal).then(
                () => attempt(number + 1),
                () => observer.error(error),
              );
            },
          });
        }
        attempt(1);
        return () => {
          pause?.abort();
          running?.unsubscribe();
        };
      });
}

/**
 * 429 and an expired token: nothing was begun. After a 503 that does not say so, or without an answer, the call may
 * have taken effect: only a read, or a call with an Idempotency-Key, is sent again.
 */
function isRepeatable({ type, context }: Operation, failure: Failure | undefined): boolean {
  if (failure === undefined || failure.kind === 'key_refused') return false;
  const isMarked = typeof context.idempotencyKey === 'string';
  const isSafe = type === 'query' || isMarked;
  if (failure.kind === 'unavailable') return isSafe;
  if (failure.status === 429 || failure.begun === false || isExpiredToken(failure)) return true;
  return (failure.status === 503 && isSafe) || (PASSING_CODES.includes(failure.code) && isMarked);
}

function isExpiredToken(failure: Failure | undefined): boolean {
  return failure?.kind === 'refused' && failure.code === 'token_expired';
}

/** Calls that were refused together do not come again together. */
function pauseAfter({ meta }: TRPCClientError<AppRouter>, usualMs: number): number {
  const { response } = (meta ?? {}) as { response?: Response };
  const retryAfterMs = Number(response?.headers.get('retry-after') ?? 0) * 1_000;
  return Math.min(Math.max(usualMs, retryAfterMs), MAX_PAUSE_MS) + Math.random() * Math.min(usualMs, MAX_PAUSE_MS);
}
