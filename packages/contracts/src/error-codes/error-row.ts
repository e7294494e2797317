import type { FieldCode } from '../field-codes.ts';

/** Everything that is published of one error code. */
export interface ErrorRow {
  /** Who refuses with it: a rule of the accounts, the HTTP interface before any rule is asked, or both. */
  origin: 'domain' | 'wire' | 'both';
  /** The HTTP status. A procedure for which the code means "not found" answers 404 in its place, and documents it. */
  status: number;
  /** The header `Retry-After`. */
  retry_after_s?: number;
  /** One sentence: when it is returned. */
  when: string;
  /** One sentence: what usually lies behind it. */
  cause: string;
  /** One sentence: what the caller does next. */
  remedy: string;
  example: ErrorExample;
}

/** What an example of an error says beside its code. */
export interface ErrorExample {
  detail: string;
  /** A text is the `attr` of the one field to blame. */
  errors?: string | { detail: string; code: FieldCode; attr: string }[];
  /** What this body has beside the fields of every error. */
  extra?: Record<string, unknown>;
}

/** What callers do next where several codes ask for the same. */
export const REMEDIES = {
  correct: 'Correct what `errors` names, then send the request again.',
  correct_client: 'Correct the client: the same request is refused every time.',
  resend_later: 'Wait for as many seconds as `Retry-After` says, then send the same request again.',
  obtain_token: 'Obtain a token, then send the request again, once.',
} as const;
