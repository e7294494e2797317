import { DEFAULT_LIMITS } from '@causeway/db';
import { type BulkSettings, type EmailSettings, readVendorSettings, type VendorSettings } from '@causeway/domain';
import { z } from 'zod';
import {
  type DatabaseEnvironment,
  DatabaseVariables,
  databaseEnvironment,
  databaseRules,
} from './database-environment.ts';
import { emailEnvironment, emailVariables } from './email-environment.ts';
import type { AttemptLimits } from './graphql/attempt-limiter.ts';
import type { ConnectionLimits } from './http/limit-connections.ts';
import type { AdmissionLimits } from './overload/limits.ts';
import { isTimeZone, number, readVariables, type Variables, wholeNumber } from './read-variables.ts';
import { showSettings } from './show-settings.ts';
import { type TracingEnvironment, tracingEnvironment, tracingVariables } from './tracing-environment.ts';
import { type WebhooksEnvironment, webhooksEnvironment, webhookVariables } from './webhooks-environment.ts';

/** The whole configuration of the service (behaviour 16.1), read and checked once, at start-up. */
export interface Environment extends DatabaseEnvironment {
  host: string;
  port: number;
  /** The port of /metrics only; absent: it is served with the rest. */
  metricsPort: number | undefined;
  metricsHost: string;
  staffApiKey: string | undefined;
  /** Present if `databaseUrl` is. */
  tokenSecret: string | undefined;
  /** Signs nothing; the tokens that it has signed elsewhere are valid. */
  otherTokenSecret: string | undefined;
  documentBucket: string;
  paymentVendors: VendorSettings[];
  timeZone: string;
  logLevel: (typeof LOG_LEVELS)[number];
  maxBodyBytes: number;
  /** The limit for all request bodies held by the instance. */
  maxHeldBytes: number;
  /** The limit for those of callers that are not authenticated yet. */
  maxHeldBytesOfUnknown: number;
  bodyTimeoutMs: number;
  headersTimeoutMs: number;
  idleTimeoutMs: number;
  /** Limits of ObtainToken, per minute. */
  attemptLimits: AttemptLimits;
  drainTimeoutMs: number;
  /** From the first signal to stop until nothing new is accepted. */
  shutdownDelayMs: number;
  databasePoolSize: number;
  databaseAcquireTimeoutMs: number;
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  trustedProxies: number;
  /** Days from an account's creation to the removal of its staged payload. */
  stagedPayloadRetentionDays: number;
  /** `lanes`: how many chunks of bulk jobs this instance works on at the same time. */
  bulk: BulkSettings & { lanes: number };
  /** Absent: no e-mails are sent to customers. */
  emails: EmailSettings | undefined;
  /** Days from an event to its removal; 0: none are recorded. */
  eventDays: number;
  webhooks: WebhooksEnvironment;
  connectionLimits: ConnectionLimits;
  admission: AdmissionLimits;
  /** Absent: nothing is traced. */
  tracing: TracingEnvironment | undefined;
  /** Every variable with its value, by name, for the log: secrets are only named. */
  settings: Readonly<Record<string, unknown>>;
}

const LEAST_EVENT_DAYS = 4;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every variable of the service; `interface/settings.ts` says what each means. */
export const ServiceVariables = DatabaseVariables.extend({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: number(3000, { from: 0, to: 65_535 }),
  METRICS_PORT: wholeNumber({ from: 0, to: 65_535 }).optional(),
  METRICS_HOST: z.string().min(1).optional(),
  STAFF_API_KEY: z.string().min(32, 'must have 32 characters or more').optional(),
  TOKEN_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  OTHER_TOKEN_SECRET: z.string().min(32, 'must have 32 characters or more').optional(),
  DOCUMENT_BUCKET: z.string().min(1).default('causeway-documents'),
  PAYMENT_VENDORS: z.string().optional().transform(readVendors),
  SERVICE_TIME_ZONE: z.string().default('UTC').refine(isTimeZone, 'must be a time zone such as UTC or Europe/London'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  MAX_BODY_BYTES: number(10 * 1024 * 1024, { from: 1_024, to: 1024 ** 3 }),
  MAX_HELD_BYTES: number(256 * 1024 * 1024, { from: 1_024, to: 1024 ** 4 }),
  MAX_HELD_BYTES_OF_UNKNOWN: number(4 * 1024 * 1024, { from: 1_024, to: 1024 ** 4 }),
  MAX_UNREAD_BYTES: number(64 * 1024 * 1024, { from: 1_024, to: 1024 ** 4 }),
  MAX_CONNECTIONS: number(10_000, { from: 1, to: 1_000_000 }),
  MAX_CONNECTIONS_PER_ADDRESS: number(2_000, { from: 1, to: 1_000_000 }),
  BODY_TIMEOUT_MS: number(15_000, { from: 100, to: 600_000 }),
  HEADERS_TIMEOUT_MS: number(10_000, { from: 100, to: 600_000 }),
  IDLE_TIMEOUT_MS: number(30_000, { from: 100, to: 600_000 }),
  OBTAIN_TOKEN_FAILURES_PER_ADDRESS: number(60, { from: 1, to: 1_000_000 }),
  OBTAIN_TOKEN_FAILURES_PER_KEY: number(20, { from: 1, to: 1_000_000 }),
  OBTAIN_TOKEN_CALLS_PER_ADDRESS: number(6_000, { from: 1, to: 1_000_000 }),
  OBTAIN_TOKEN_CALLS_PER_KEY: number(300, { from: 1, to: 1_000_000 }),
  GRAPHQL_QUERIES_PER_ADDRESS: number(600, { from: 1, to: 1_000_000 }),
  DRAIN_TIMEOUT_MS: number(9_000, { from: 100, to: 600_000 }),
  SHUTDOWN_DELAY_MS: number(0, { from: 0, to: 600_000 }),
  DATABASE_POOL_SIZE: number(20, { from: 2, to: 1_000 }),
  DATABASE_ACQUIRE_TIMEOUT_MS: number(5_000, { from: 100, to: 600_000 }),
  DATABASE_STATEMENT_TIMEOUT_MS: number(DEFAULT_LIMITS.statementTimeoutMs, { from: 100, to: 3_600_000 }),
  DATABASE_LOCK_TIMEOUT_MS: number(DEFAULT_LIMITS.lockTimeoutMs, { from: 100, to: 3_600_000 }),
  STAGED_PAYLOAD_RETENTION_DAYS: number(30, { from: 0, to: 36_500 }),
  BULK_LANES: number(2, { from: 0, to: 64 }),
  BULK_FILES_DAYS: number(30, { from: 0, to: 36_500 }),
  BULK_MAX_STORED_BYTES: number(20 * 1024 ** 3, { from: 0, to: 1024 ** 5 }),
  EVENT_DAYS: number(30, { from: 0, to: 36_500 }).refine(
    (days) => days === 0 || days >= LEAST_EVENT_DAYS,
    `must be 0, or ${LEAST_EVENT_DAYS} or more: webhooks are sent again for three days`,
  ),
  TRUSTED_PROXIES: number(0, { from: 0, to: 16 }),
  MAX_REQUESTS_AT_WORK: number(1_000, { from: 1, to: 100_000 }),
  MAX_EXPECTED_WAIT_MS: number(400, { from: 1, to: 60_000 }),
  MAX_DATABASE_WAITERS: number(200, { from: 1, to: 100_000 }),
  MAX_EVENT_LOOP_DELAY_MS: number(300, { from: 10, to: 60_000 }),
  ...emailVariables,
  ...webhookVariables,
  ...tracingVariables,
});

/** Reads the variables of docs/settings.md: see `readVariables`. */
export function readEnvironment(variables: Variables): Environment {
  const data = readVariables(variables, ServiceVariables, [...databaseRules, secretMissing]);
  return {
    ...databaseEnvironment(data),
    host: data.HOST,
    port: data.PORT,
    metricsPort: data.METRICS_PORT,
    metricsHost: data.METRICS_HOST ?? data.HOST,
    staffApiKey: data.STAFF_API_KEY,
    ...{ tokenSecret: data.TOKEN_SECRET, otherTokenSecret: data.OTHER_TOKEN_SECRET },
    paymentVendors: data.PAYMENT_VENDORS,
    timeZone: data.SERVICE_TIME_ZONE,
    logLevel: data.LOG_LEVEL,
    maxBodyBytes: data.MAX_BODY_BYTES,
    maxHeldBytes: data.MAX_HELD_BYTES,
    maxHeldBytesOfUnknown: data.MAX_HELD_BYTES_OF_UNKNOWN,
    bodyTimeoutMs: data.BODY_TIMEOUT_MS,
    headersTimeoutMs: data.HEADERS_TIMEOUT_MS,
    idleTimeoutMs: data.IDLE_TIMEOUT_MS,
    attemptLimits: {
      perAddress: data.OBTAIN_TOKEN_FAILURES_PER_ADDRESS,
      perAddressAndPrefix: data.OBTAIN_TOKEN_FAILURES_PER_KEY,
      callsPerAddress: data.OBTAIN_TOKEN_CALLS_PER_ADDRESS,
      callsPerKey: data.OBTAIN_TOKEN_CALLS_PER_KEY,
      queriesPerAddress: data.GRAPHQL_QUERIES_PER_ADDRESS,
    },
    drainTimeoutMs: data.DRAIN_TIMEOUT_MS,
    shutdownDelayMs: data.SHUTDOWN_DELAY_MS,
    databasePoolSize: data.DATABASE_POOL_SIZE,
    databaseAcquireTimeoutMs: data.DATABASE_ACQUIRE_TIMEOUT_MS,
    statementTimeoutMs: data.DATABASE_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: data.DATABASE_LOCK_TIMEOUT_MS,
    ...{ stagedPayloadRetentionDays: data.STAGED_PAYLOAD_RETENTION_DAYS, eventDays: data.EVENT_DAYS },
    bulk: { lanes: data.BULK_LANES, filesDays: data.BULK_FILES_DAYS, maxStoredBytes: data.BULK_MAX_STORED_BYTES },
    ...{ emails: emailEnvironment(data), webhooks: webhooksEnvironment(data), documentBucket: data.DOCUMENT_BUCKET },
    trustedProxies: data.TRUSTED_PROXIES,
    connectionLimits: connectionLimits(data),
    admission: admissionLimits(data),
    tracing: tracingEnvironment(data),
    settings: showSettings(data),
  };
}

function connectionLimits(data: z.infer<typeof ServiceVariables>): ConnectionLimits {
  const { MAX_CONNECTIONS: all, MAX_CONNECTIONS_PER_ADDRESS: perAddress } = data;
  return { all, perAddress: data.TRUSTED_PROXIES > 0 ? all : perAddress };
}

function admissionLimits(data: z.infer<typeof ServiceVariables>): AdmissionLimits {
  return {
    requestsAtWork: data.MAX_REQUESTS_AT_WORK,
    expectedWaitMs: data.MAX_EXPECTED_WAIT_MS,
    turnWaitMs: data.DATABASE_ACQUIRE_TIMEOUT_MS,
    poolWaiters: data.MAX_DATABASE_WAITERS,
    eventLoopDelayMs: data.MAX_EVENT_LOOP_DELAY_MS,
    unreadBytes: data.MAX_UNREAD_BYTES,
  };
}

/** Others can read an external database, and must not be able to sign tokens: the secret is not stored in it. */
function secretMissing(set: Variables): string[] {
  const isMissing = set.DATABASE_URL !== undefined && set.TOKEN_SECRET === undefined;
  const rule = 'must be set where DATABASE_URL is: 32 random characters or more, the same for all instances';
  return isMissing ? [`  TOKEN_SECRET ${rule}`] : [];
}

function readVendors(setting: string | undefined, context: z.core.$RefinementCtx): VendorSettings[] {
  try {
    return readVendorSettings(setting);
  } catch (error) {
    // Begins with the variable's name, like every problem.
    const message = (error as Error).message.replace('PAYMENT_VENDORS ', '');
    context.issues.push({ code: 'custom', message, input: undefined });
    return z.NEVER;
  }
}
