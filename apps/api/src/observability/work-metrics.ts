import type { StatementObserver } from '@causeway/db';
import type { ChunkCounts } from '@causeway/domain';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** An answered request. All but `status` and `seconds` come from our own lists of names, never from the caller. */
export interface AnsweredRequest {
  operation: string;
  status: number;
  /** The code of its error, if it was refused or failed. */
  code?: string | undefined;
  /** One that exists. */
  importSupplier?: string | undefined;
  seconds: number;
}

/** How a call to a payment vendor ended. */
export type VendorOutcome = 'done' | 'rejected' | 'unavailable';

/** Counts what the service does. It is there before the database: statements of the start are counted too. */
export interface WorkMetrics {
  readonly registry: Registry;
  countRequest(request: AnsweredRequest): void;
  readonly statements: StatementObserver;
  countVendorCall(vendor: string, outcome: VendorOutcome, seconds: number): void;
  /** Lines of bulk jobs whose outcome was committed. */
  countBulkLines(counts: ChunkCounts, runMode: string): void;
  countBulkChunk(result: string, seconds: number): void;
  /** E-mails to customers, by what happened to them. */
  countEmails(outcome: string, emails: number): void;
  /** Those of them that went with the service's own text, because the supplier's template failed. */
  countOwnTexts(emails: number): void;
  /** One attempt to send a webhook. */
  countWebhookMessage(outcome: 'accepted' | 'failed', seconds: number): void;
  countRun(run: string, outcome: 'done' | 'failed', at: Date): void;
  /** The code of an import supplier as a label: beyond the first 50, `other`. */
  supplierLabel(code: string): string;
}

const MAX_SUPPLIER_LABELS = 50;
const DRY_RUN = 'dry_run_rolled_back';
/** nginx's status for a client that disconnected before it got an answer. */
export const CLIENT_LEFT = 499;

export function createWorkMetrics(): WorkMetrics {
  const registry = new Registry();
  const supplierLabel = boundedLabels();
  const statement = new Histogram({
    name: 'causeway_database_statement_duration_seconds',
    help: 'Time from a statement to its answer, by its name; without the wait for a connection.',
    labelNames: ['statement', 'outcome'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10],
    registers: [registry],
  });
  const vendorCall = new Histogram({
    name: 'causeway_payment_vendor_call_duration_seconds',
    help: 'Time of a call to a payment vendor, by vendor and outcome: `done`, `rejected` or `unavailable`.',
    labelNames: ['vendor', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 9],
    registers: [registry],
  });
  return {
    registry,
    supplierLabel,
    countRequest: requestCounter(registry, supplierLabel),
    countRun: runCounter(registry),
    ...emailCounters(registry),
    ...bulkCounters(registry),
    countWebhookMessage: webhookCounter(registry),
    statements: {
      sent(title) {
        const sentAt = performance.now();
        return (failed) => {
          const outcome = failed ? 'failed' : 'done';
          statement.observe({ statement: title, outcome }, (performance.now() - sentAt) / 1_000);
        };
      },
    },
    countVendorCall: (vendor, outcome, seconds) => vendorCall.observe({ vendor, outcome }, seconds),
  };
}

function requestCounter(registry: Registry, supplierLabel: WorkMetrics['supplierLabel']): WorkMetrics['countRequest'] {
  const requests = new Counter({
    name: 'causeway_requests_total',
    help: 'Answered requests, by operation, status, error code (a dry run has its own) and import supplier.',
    labelNames: ['operation', 'status', 'code', 'import_supplier'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'causeway_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by operation and outcome: `done`, `dry_run`, `refused`, `failed`, or `left` by its client.',
    labelNames: ['operation', 'outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  return ({ operation, status, code = '', importSupplier, seconds }) => {
    requests.inc({
      ...{ operation, status },
      ...(code !== '' && { code }),
      ...(importSupplier !== undefined && { import_supplier: supplierLabel(importSupplier) }),
    });
    duration.observe({ operation, outcome: outcomeOf(status, code) }, seconds);
  };
}

function outcomeOf(status: number, code: string): string {
  if (code === DRY_RUN) return 'dry_run';
  if (status === CLIENT_LEFT) return 'left';
  // ObtainToken refuses with 200.
  if (status < 400) return code === '' ? 'done' : 'refused';
  return status < 500 ? 'refused' : 'failed';
}

function bulkCounters(registry: Registry): Pick<WorkMetrics, 'countBulkLines' | 'countBulkChunk'> {
  const lines = new Counter({
    name: 'causeway_bulk_lines_total',
    help: 'Lines of bulk jobs that were done by this instance, by mode of the run and outcome.',
    labelNames: ['run_mode', 'outcome'],
    registers: [registry],
  });
  const chunk = new Histogram({
    name: 'causeway_bulk_chunk_duration_seconds',
    help: 'Time of a lane at a chunk of a bulk job, by result: `written`, `nothing`, `no_slots`, `put_off` or `paused`.',
    labelNames: ['result'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    registers: [registry],
  });
  return {
    countBulkLines(counts, runMode) {
      for (const [outcome, count] of Object.entries(counts)) lines.inc({ run_mode: runMode, outcome }, count);
    },
    countBulkChunk: (result, seconds) => chunk.observe({ result }, seconds),
  };
}

function emailCounters(registry: Registry): Pick<WorkMetrics, 'countEmails' | 'countOwnTexts'> {
  const sent = new Counter({
    name: 'causeway_customer_emails_total',
    help: 'E-mails to customers that this instance handed over, by outcome: `sent`, `refused`, `queued` (put off), `given_up`, `in_doubt`, `not_sent` (suppressed) `unreachable` (they wait for the mail server) or `unrendered` (they wait for a thread to render their text).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const ownTexts = new Counter({
    name: 'causeway_customer_emails_own_text_total',
    help: "E-mails that this instance handed over with the service's own text, because their import supplier's template could not be rendered for the customer.",
    labelNames: [],
    registers: [registry],
  });
  return {
    countEmails: (outcome, emails) => sent.inc({ outcome }, emails),
    countOwnTexts: (emails) => ownTexts.inc(emails),
  };
}

function webhookCounter(registry: Registry): WorkMetrics['countWebhookMessage'] {
  const attempt = new Histogram({
    name: 'causeway_webhook_attempt_duration_seconds',
    help: 'Time of an attempt to send a webhook, by outcome: `accepted` or `failed`.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  });
  return (outcome, seconds) => attempt.observe({ outcome }, seconds);
}

function runCounter(registry: Registry): WorkMetrics['countRun'] {
  const runs = new Counter({
    name: 'causeway_background_runs_total',
    help: 'Runs of the background work of this instance, by what it does and outcome: `done` or `failed`.',
    labelNames: ['run', 'outcome'],
    registers: [registry],
  });
  const lastDone = new Gauge({
    name: 'causeway_background_run_last_done_timestamp_seconds',
    help: 'When the background work was last done by this instance, by what it does.',
    labelNames: ['run'],
    registers: [registry],
  });
  return (run, outcome, at) => {
    runs.inc({ run, outcome });
    if (outcome === 'done') lastDone.set({ run }, at.getTime() / 1_000);
  };
}

/** However many import suppliers there are, a metric has so many series only. */
function boundedLabels(): WorkMetrics['supplierLabel'] {
  const codes = new Set<string>();
  return (code) => {
    if (codes.has(code)) return code;
    if (codes.size >= MAX_SUPPLIER_LABELS) return 'other';
    codes.add(code);
    return code;
  };
}
