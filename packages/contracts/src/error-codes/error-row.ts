import type { FieldCode } from '../field-codes.ts';

/** Everything that is published of one error code. */
export interface ErrorRow {
  /** What refuses with it: the HTTP interface before any rule is applied, or both; otherwise a rule of the domain. */
  origin?: 'wire' | 'both';
  /** The HTTP status. A procedure for which the code means "not found" answers 404 instead, and documents it. */
  status: number;
  /** The header `Retry-After`. */
  retry_after_s?: number;
  /** One sentence: when it is returned. */
  when: string;
  /** One sentence: its usual cause. */
  cause: string;
  /** One sentence: what the caller does next. */
  remedy: string;
  example: ErrorExample;
}

/** The rest of an example error, without its code. */
export interface ErrorExample {
  detail: string;
  /** A string is the `attr` of the only field at fault. */
  errors?: string | { detail: string; code: FieldCode; attr: string }[];
  /** Fields of this body in addition to those of every error. */
  extra?: Record<string, unknown>;
}

/** Remedies shared by several codes. */
export const REMEDIES = {
  correct: 'Correct what `errors` names, then send the request again.',
  correct_client: 'Correct the client: the same request is refused every time.',
  resend_later: 'Wait for `Retry-After` seconds, then send the same request again.',
  obtain_token: 'Obtain a token, then send the request again, once.',
} as const;
