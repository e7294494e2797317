/** What passes by itself, besides 429 and 503: the same call with the same key is worth another attempt. */
export const PASSING_CODES: readonly (string | undefined)[] = [
  'idempotency_key_in_progress',
  'payment_vendor_unavailable',
];
