import { ACCOUNT_DATA_ERRORS } from './error-codes/account-data-errors.ts';
import { ACCOUNT_ERRORS } from './error-codes/account-errors.ts';
import { BOOK_ERRORS } from './error-codes/book-errors.ts';
import { BULK_ERRORS } from './error-codes/bulk-errors.ts';
import type { ErrorRow } from './error-codes/error-row.ts';
import { EVENT_ERRORS } from './error-codes/event-errors.ts';
import { FAILURES } from './error-codes/failures.ts';
import { JSON_ERRORS } from './error-codes/json-errors.ts';
import { MANIFEST_ERRORS } from './error-codes/manifest-errors.ts';
import { RECONCILIATION_ERRORS } from './error-codes/reconciliation-errors.ts';
import { REQUEST_ERRORS } from './error-codes/request-errors.ts';
import { SERVICE_TEAM_ERRORS } from './error-codes/service-team-errors.ts';
import { UNDO_ERRORS } from './error-codes/undo-errors.ts';
import { WEBHOOK_ERRORS } from './error-codes/webhook-errors.ts';

const ROWS = {
  ...ACCOUNT_ERRORS,
  ...ACCOUNT_DATA_ERRORS,
  ...UNDO_ERRORS,
  ...REQUEST_ERRORS,
  ...JSON_ERRORS,
  ...BOOK_ERRORS,
  ...BULK_ERRORS,
  ...RECONCILIATION_ERRORS,
  ...MANIFEST_ERRORS,
  ...EVENT_ERRORS,
  ...WEBHOOK_ERRORS,
  ...FAILURES,
  ...SERVICE_TEAM_ERRORS,
} as const;

/** The code of an error body. */
export type ErrorCode = keyof typeof ROWS;

type CodeWith<Row> = { [Code in ErrorCode]: (typeof ROWS)[Code] extends Row ? Code : never }[ErrorCode];

/** A code with which a rule of the domain refuses, over any interface. */
export type DomainCode = Exclude<ErrorCode, CodeWith<{ origin: 'wire' }>>;

/** A code with which the HTTP interface refuses before any rule is applied, or instead of an answer. */
export type WireCode = CodeWith<{ origin: 'wire' | 'both' }>;

/** A code of JSON that is not read, no matter who reads it. */
export type JsonCode = keyof typeof JSON_ERRORS;

/**
 * The one table of error codes (behaviour 7.3), each with one row: they are stable and published, and
 * statuses, headers, documents, examples and types derive from here.
 */
export const ERROR_CODES: Record<ErrorCode, ErrorRow> = ROWS;

/** Whether a code is of a line of a book alone: no call is answered with it. */
export function isOfLine(code: ErrorCode): boolean {
  return code in BOOK_ERRORS;
}

/** The page with a row for every code. */
export const ERROR_PAGE = '/docs/errors';

/** Where a code is described. A path: behind a proxy the service does not know its public address. */
export function documentationUrl(code: string): string {
  return `${ERROR_PAGE}#${code}`;
}

export type { ErrorExample, ErrorRow } from './error-codes/error-row.ts';
