import { z } from 'zod';
import { ServiceVariables } from '../src/env.ts';

/** What a variable means, and in words its default where the schema cannot say it. */
type Setting = readonly [meaning: string, defaultWords?: string];

const SETTINGS: Readonly<Record<keyof typeof ServiceVariables.shape, Setting>> = {
  HOST: ['address to listen on'],
  PORT: ['port to listen on; 0 picks a free one and prints it'],
  METRICS_PORT: ['serves only `/metrics`, there; without it, `/metrics` is served on `PORT`'],
  METRICS_HOST: ['address of `METRICS_PORT`', '`HOST`'],
  DATABASE_URL: [
    'external PostgreSQL 15 to 18, one or several hosts, also through PgBouncer',
    'none: the embedded PostgreSQL',
  ],
  DATABASE_OWNER_URL: [
    "role that owns the tables: it migrates, and grants the service's role its rights",
    'none: `DATABASE_URL` migrates',
  ],
  DATA_DIR: ['files of the embedded database, and the secret that signs its tokens', '`.causeway` in the repository'],
  STAFF_API_KEY: [
    'first key of the service team; at least 32 characters',
    'generated, printed once at the first start',
  ],
  TOKEN_SECRET: [
    'signs tokens and reports; at least 32 random characters, the same on all instances; required with `DATABASE_URL`',
    'generated into `DATA_DIR`',
  ],
  OTHER_TOKEN_SECRET: ['while `TOKEN_SECRET` is replaced: what this one has signed is valid too'],
  DOCUMENT_BUCKET: ["first part of a document's full location"],
  PAYMENT_VENDORS: [
    '`SANDBOX`, or a JSON array of `{"name", "kind": "stripe" or "http", "base_url", "secret"}`',
    'none (`SANDBOX` in the demo)',
  ],
  SERVICE_TIME_ZONE: ['time zone that decides when a day begins and ends (open statement periods)'],
  LOG_LEVEL: ['`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; JSON lines, no personal data'],
  MAX_BODY_BYTES: ['maximum size of a request body'],
  MAX_HELD_BYTES: ['maximum total of request bodies held by an instance; one organisation may hold four fifths'],
  MAX_HELD_BYTES_OF_UNKNOWN: ['likewise, for callers without a token (`ObtainToken`)'],
  MAX_UNREAD_BYTES: ['maximum total of answers that clients have not read; one organisation is refused at four fifths'],
  MAX_CONNECTIONS: ['a connection beyond these is closed with a 503'],
  MAX_CONNECTIONS_PER_ADDRESS: ['likewise, for one client address; does not apply with `TRUSTED_PROXIES`'],
  HEADERS_TIMEOUT_MS: ['time for a client to send the headers'],
  BODY_TIMEOUT_MS: ['time for a client to send the body'],
  IDLE_TIMEOUT_MS: ['time between the requests of a connection'],
  DRAIN_TIMEOUT_MS: ['how long SIGTERM waits for requests in flight'],
  SHUTDOWN_DELAY_MS: ['how long SIGTERM leaves the service serving while `/readyz` answers 503, before it drains'],
  DATABASE_POOL_SIZE: ['number of connections to the database'],
  DATABASE_ACQUIRE_TIMEOUT_MS: ['how long a request waits for a connection, or for its turn'],
  DATABASE_STATEMENT_TIMEOUT_MS: ['maximum time for a statement'],
  DATABASE_LOCK_TIMEOUT_MS: ["maximum time for a statement's wait for a lock"],
  MAX_REQUESTS_AT_WORK: ['beyond these, an instance answers 503 with `Retry-After`'],
  MAX_DATABASE_WAITERS: ['likewise, requests that wait for a connection'],
  MAX_EXPECTED_WAIT_MS: ['likewise under load, from what requests have cost recently'],
  MAX_EVENT_LOOP_DELAY_MS: ['likewise, how late the event loop may be'],
  OBTAIN_TOKEN_FAILURES_PER_ADDRESS: [
    'failed attempts a minute, over all instances; up to ten times as many do not lock out a valid key',
  ],
  OBTAIN_TOKEN_FAILURES_PER_KEY: ['likewise, with keys of one beginning from one address'],
  OBTAIN_TOKEN_CALLS_PER_ADDRESS: ['tokens a minute, per instance'],
  OBTAIN_TOKEN_CALLS_PER_KEY: ['likewise, for one API key'],
  GRAPHQL_QUERIES_PER_ADDRESS: [
    'other GraphQL documents a minute, per instance: introspection and malformed documents',
  ],
  TRUSTED_PROXIES: ['number of trusted reverse proxies (`X-Forwarded-For` hops)'],
  STAGED_PAYLOAD_RETENTION_DAYS: [
    "days from an account's creation to the removal of its staged payload; 0: within the hour",
  ],
  BULK_LANES: ['chunks of bulk jobs that the instance works on at the same time; 0: it leaves them to others'],
  BULK_FILES_DAYS: ['days from the end of a bulk job to the removal of its lines and results; 0: within the hour'],
  BULK_MAX_STORED_BYTES: ['limit for all lines and results of bulk jobs, compressed'],
  EVENT_DAYS: ['days from an event to its removal, 4 or more; 0: none are recorded or sent; the same on all instances'],
  SMTP_URL: [
    'mail server for e-mails to customers: `smtp://user:password@host:587` (STARTTLS) or `smtps://…`; none: no e-mails',
  ],
  EMAILS_PER_MINUTE: ['e-mails to customers of all instances together'],
  EMAILS_PER_MAILBOX: ['e-mails of an organisation to one mailbox in 24 hours; what is more waits'],
  EMAIL_DKIM: ['signs e-mails to customers: `domain:selector:key`, the RSA key as PEM or that in base64'],
  WEBHOOK_LANES: ['webhook endpoints to which the instance sends at the same time; 0: it leaves them to others'],
  WEBHOOK_ALLOWED_NETWORKS: [
    'networks to which webhooks may go beside the public internet, such as `10.20.0.0/16`; with http and any port',
    'none',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['where traces go (OTLP over HTTP), such as `http://127.0.0.1:4318`; none: no traces'],
  OTEL_EXPORTER_OTLP_HEADERS: ['headers that are sent there: `name=value`, with commas between them'],
  OTEL_SERVICE_NAME: ['what traces call this service'],
  OTEL_TRACES_SAMPLER: ['which traces are recorded; `parentbased_traceidratio`: a share, and those of callers'],
  OTEL_TRACES_SAMPLER_ARG: ['that share: `0.01` is a hundredth'],
};

/** The table of docs/settings.md: every variable with its default, its range and what it means. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, [meaning, defaultWords]]) => {
    const schema = ServiceVariables.shape[name as keyof typeof SETTINGS];
    return [`\`${name}\``, defaultWords ?? defaultOf(schema), rangeOf(schema), meaning];
  });
  return aligned([['variable', 'default', 'range', 'meaning'], ...rows]);
}

/** As it is set, with a large number of bytes in words too. */
function defaultOf(schema: z.ZodType): string {
  if (!(schema instanceof z.ZodDefault)) return 'none';
  const value = schema.def.defaultValue;
  if (typeof value === 'string') return `\`${value}\``;
  const mebibytes = Number(value) / 1024 ** 2;
  if (!Number.isInteger(mebibytes) || mebibytes === 0) return String(value);
  return `${value} (${mebibytes >= 1_024 ? `${mebibytes / 1_024} GiB` : `${mebibytes} MiB`})`;
}

function rangeOf(schema: z.ZodType): string {
  const inner = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional ? schema.def.innerType : schema;
  const { range } = (z.globalRegistry.get(inner as z.ZodType) ?? {}) as { range?: { from: number; to: number } };
  return range === undefined ? '' : `${range.from} to ${range.to}`;
}

/** A Markdown table whose columns are as wide as their longest cell. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = rows.map(line);
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [head, rule, ...others].join('\n');
}

/** The document with its table written anew; the text around it stays. */
export const withSettings = (document: string): string =>
  document.replace(/^\| variable [\s\S]*?\n(?=\n)/m, () => `${settingsTable()}\n`);
