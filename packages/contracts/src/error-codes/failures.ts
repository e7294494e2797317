import type { ErrorRow } from './error-row.ts';

/** Failures of the service: the request may have taken effect. */
export const FAILURES = {
  internal_error: {
    origin: 'wire',
    status: 500,
    when: 'An unexpected error on our side, logged by `X-Request-Id`; the request may have taken effect: retry it, with `check_previously_added=false` only with the same `Idempotency-Key`.',
    cause: 'A defect of the service.',
    remedy:
      'Send the same request again later, with `check_previously_added=false` only with the same `Idempotency-Key`; if it fails again, report its `X-Request-Id`.',
    example: {
      detail:
        'Something went wrong on our side. The request may have taken effect. To report it, quote the X-Request-Id header.',
    },
  },
  service_unavailable: {
    origin: 'both',
    status: 503,
    retry_after_s: 5,
    when: 'Starting, stopping, overloaded or without database; the request may have taken effect: retry it later, with `check_previously_added=false` only with the same `Idempotency-Key`.',
    cause: 'A restart or a temporary failure, or more requests in flight than your share of the service.',
    remedy:
      'Wait for `Retry-After` seconds, then send the same request again, with `check_previously_added=false` only with the same `Idempotency-Key`.',
    example: {
      detail: 'The service cannot work now. The request may have taken effect: repeat it as the guide says.',
    },
  },
} as const satisfies Record<string, ErrorRow>;
