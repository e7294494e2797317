/** Serialisation failure and deadlock: the statement or transaction was certainly rolled back and may be retried. */
const ROLLED_BACK_STATES = new Set(['40001', '40P01']);

/**
 * Too many connections; the server is stopping, crashed or starting; the database was dropped; the session was idle too
 * long.
 */
const UNAVAILABLE_STATES = new Set(['53300', '57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '25P04']);
const READ_ONLY = '25006';
/**
 * Read-only; the login or the database does not exist; disk full, out of memory, too many locks (all of class 53);
 * files that the server cannot read or write (class 58).
 */
const UNABLE_STATES = /^(25006|28...|3D000|53...|58...)$/;
const TIMEOUT_STATES = new Set(['57014', '55P03']);
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const CHECK_VIOLATION = '23514';
const INSUFFICIENT_PRIVILEGE = '42501';

const SYSTEM_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg assigns these no code. */
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed|The server does not support SSL|Query read timeout|Cannot use a pool after calling end)/;
const ACQUIRE_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect';

/** The server's certificate is not accepted any more, or not yet: it is being replaced. */
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

interface Detail {
  code: string;
  message: string;
  constraint: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function detailOf(error: object): Detail {
  const { code, message, constraint } = error as { code?: unknown; message?: unknown; constraint?: unknown };
  return { code: textOf(code), message: textOf(message), constraint: textOf(constraint) };
}

/** The error and its causes: pg's error is one of them, whatever its route. */
function detailsOf(error: unknown): Detail[] {
  const details: Detail[] = [];
  for (let current = error; typeof current === 'object' && current !== null && details.length < 10; ) {
    details.push(detailOf(current));
    current = (current as { cause?: unknown }).cause;
  }
  return details;
}

/** Whether a unique constraint refused a write; `constraint` names the index, such as `accounts_pkey`. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return detailsOf(error).some(
    (detail) => detail.code === UNIQUE_VIOLATION && (constraint === undefined || detail.constraint === constraint),
  );
}

/** Whether a write named a row of another table that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return detailsOf(error).some((detail) => detail.code === FOREIGN_KEY_VIOLATION);
}

/** Whether a CHECK refused a write, including an update of a row that is older than the constraint. */
export function isCheckViolation(error: unknown): boolean {
  return detailsOf(error).some((detail) => detail.code === CHECK_VIOLATION);
}

/** Whether the role lacks a right that the statement needs. */
export function isDenied(error: unknown): boolean {
  return detailsOf(error).some((detail) => detail.code === INSUFFICIENT_PRIVILEGE);
}

/**
 * Whether the database was unreachable, was lost, or had no free connection in time: an answer of 503. Whether a write
 * took effect is then unknown.
 */
export function isConnectionFailure(error: unknown): boolean {
  return detailsOf(error).some(
    ({ code, message }) =>
      UNAVAILABLE_STATES.has(code) ||
      SYSTEM_ERRORS.has(code) ||
      /^08/.test(code) ||
      TLS_CODES.test(code) ||
      UNAVAILABLE_MESSAGES.test(message),
  );
}

/**
 * Whether the server answers but cannot work now: it is read-only, full, or accepts no logins. The statement was rolled
 * back. An immediate retry would fail again and add to the load.
 */
export function isServerUnable(error: unknown): boolean {
  return detailsOf(error).some((detail) => UNABLE_STATES.test(detail.code));
}

/** Whether this session accepts no writes but another one might: its server was demoted to a standby, or promoted. */
export function isReadOnlySession(error: unknown): boolean {
  return detailsOf(error).some((detail) => detail.code === READ_ONLY);
}

/** Whether `statement_timeout` or `lock_timeout` ended a statement; it was rolled back. */
export function isStatementTimeout(error: unknown): boolean {
  return detailsOf(error).some((detail) => TIMEOUT_STATES.has(detail.code));
}

/** Whether the statement was rolled back through no fault of its own, so that a retry is safe and useful. */
export function isRolledBack(error: unknown): boolean {
  return detailsOf(error).some((detail) => ROLLED_BACK_STATES.has(detail.code));
}

/**
 * Whether the database is at fault, and not the statement: an answer of 503. If a connection failed, it is unknown
 * whether a write took effect.
 */
export function isUnavailable(error: unknown): boolean {
  return isConnectionFailure(error) || isServerUnable(error) || isStatementTimeout(error) || isRolledBack(error);
}

/** Whether the pool had no connection in time: a retry would only lengthen the queue. */
export function isAcquireTimeout(error: unknown): boolean {
  return detailsOf(error).some((detail) => detail.message === ACQUIRE_TIMEOUT_MESSAGE);
}
