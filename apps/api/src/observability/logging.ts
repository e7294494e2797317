import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** The size that its destination writes at once: a write costs as much as 20 lines. */
const BUFFER_BYTES = 16_000;
const FLUSH_EVERY_MS = 500;
const MAX_MESSAGE_LENGTH = 300;
const MAX_STACK_FRAMES = 20;
const MAX_CAUSES = 5;
const REDACTED = '[redacted]';

/** Fields that must not be logged (behaviour 16.8), at any depth. */
const SECRET_FIELDS = new Set([
  ...['payload', 'body', 'input', 'headers', 'authorization', 'cookie', 'password', 'secret', 'secrets', 'url'],
  ...[
    'token',
    'refreshToken',
    'refresh_token',
    'api_key',
    'apiKey',
    'APIKey',
    'staffApiKey',
    'tokenSecret',
    'otherTokenSecret',
    'databaseUrl',
    'databaseOwnerUrl',
  ],
  ...['name', 'given_name', 'family_name', 'billing_name', 'email', 'billing_email', 'mobile', 'landline', 'customers'],
  ...['company_name', 'name_reading', 'mandate', 'account_holder', 'interval_readings'],
]);

/**
 * The service's log: JSON lines with ISO times and level names, written to standard output in batches at most half a
 * second late (`flush()` and an exit write at once). Secret and personal fields are redacted, and errors appear as
 * `describeError` shows them, because messages of databases and parsers quote the offending data.
 */
export function createLogger(options: { level: string; stream?: DestinationStream }): Logger {
  const stream = options.stream ?? destination({ sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS });
  return pino(
    {
      level: options.level,
      errorKey: 'error',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }), log: redactFields },
      serializers: { error: asDescribed, err: asDescribed },
      // A child logger's own fields bypass the formatter.
      redact: { paths: [...SECRET_FIELDS], censor: REDACTED },
      hooks: {
        // Without its own message, pino would use the error's unchanged.
        logMethod(parameters, method) {
          const [first, message] = parameters;
          if (message === undefined && carriesError(first)) method.call(this, first, 'error');
          else method.apply(this, parameters);
        },
      },
    },
    stream,
  );
}

/** Replaces pino's serializers, which would copy an error's own fields. */
function asDescribed(value: unknown): unknown {
  return value instanceof Error ? describeError(value) : value;
}

function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) shown[key] = SECRET_FIELDS.has(key) ? REDACTED : redact(fields[key]);
  return shown;
}

function redact(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) return describeError(value);
  return Array.isArray(value) ? value.map(redact) : redactFields(value as Record<string, unknown>);
}

function carriesError(value: unknown): boolean {
  return value instanceof Error || (typeof value === 'object' && value !== null && 'error' in value);
}

/** The loggable part of an error: its kind, codes, frames and causes, and its message up to the first quoted data. */
export function describeError(error: unknown, causes = MAX_CAUSES): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  return {
    type: error.name,
    message: error.message
      .trimStart()
      .replace(/["\n].*/s, '…')
      .slice(0, MAX_MESSAGE_LENGTH),
    ...textsOf({ code, constraint, table }),
    stack: framesOf(error.stack),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, causes - 1) }),
  };
}

function textsOf(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === 'string'));
}

function framesOf(stack = ''): string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.slice(0, MAX_STACK_FRAMES).map((line) => line.trim());
}
