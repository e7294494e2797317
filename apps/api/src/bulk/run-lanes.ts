import type { Database } from '@causeway/db';
import {
  createImportSupplierDirectory,
  createSmtpTransport,
  type PaymentVendor,
  resolveAllUnwritten,
} from '@causeway/domain';
import { type Runner, type RunnerOptions, startRunner, startWebhookLanes, type WebhookReport } from '@causeway/runner';
import { openTemplateRenderer } from '../emails/open-template-renderer.ts';
import type { Environment } from '../env.ts';
import { type TokenSecrets, webhookSettings } from '../webhooks/webhook-settings.ts';

/** Longer than those of callers: a chunk has up to 100 accounts, and nobody waits for it. */
export const LANE_STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Each lane has one connection at most; planning and the states of jobs have two, and so have e-mails. The lanes that send
 * webhooks need one only before and after they send: they share two.
 */
export const lanePoolSize = ({ bulk, emails, webhooks }: Environment): number =>
  bulk.lanes + (emails === undefined ? 2 : 4) + Math.min(webhooks.lanes, 2);

/** What lanes need besides the settings: a database of their own, and the vendors. */
export interface LaneOptions extends Pick<RunnerOptions, 'pace'> {
  report: RunnerOptions['report'] & WebhookReport;
  secrets: TokenSecrets;
  database: Database;
  clock: () => Date;
  paymentVendors: ReadonlyMap<string, PaymentVendor>;
}

/** The lanes of an instance, with its settings. */
export function runLanes(
  environment: Environment,
  { database, clock, paymentVendors, secrets, ...options }: LaneOptions,
): Runner {
  const importSuppliers = createImportSupplierDirectory(database, clock);
  const { timeZone, documentBucket, bulk, maxBodyBytes: maxLineBytes } = environment;
  const startedAt = new Date(Date.now() - process.uptime() * 1_000);
  const dependencies = {
    database,
    clock,
    timeZone,
    documentBucket,
    bulk,
    importSuppliers,
    paymentVendors,
    maxLineBytes,
    startedAt,
  };
  const { emails } = environment;
  const runner = startRunner({
    ...options,
    lanes: bulk.lanes,
    dependencies,
    emails: emails && {
      perMinute: emails.perMinute,
      transport: createSmtpTransport(emails),
      templates: openTemplateRenderer(),
    },
  });
  const webhooks = startWebhookLanes({
    dependencies: { database, clock, webhooks: webhookSettings(environment, secrets) },
    lanes: environment.webhooks.lanes,
    report: options.report,
  });
  return {
    wake: runner.wake,
    async stop() {
      await Promise.all([runner.stop(), webhooks.stop()]);
      await resolveAllUnwritten({ importSuppliers });
    },
  };
}
