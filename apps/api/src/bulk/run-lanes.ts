import type { Database } from '@causeway/db';
import {
  createImportSupplierDirectory,
  createSmtpTransport,
  type EmailDependencies,
  type EmailSettings,
  type PaymentVendor,
} from '@causeway/domain';
import {
  type Runner,
  type RunnerOptions,
  startEmailLanes,
  startRunner,
  startWebhookLanes,
  type WebhookReport,
} from '@causeway/runner';
import { openTemplateRenderer } from '../emails/open-template-renderer.ts';
import type { Environment } from '../env.ts';
import { type TokenSecrets, webhookSettings } from '../webhooks/webhook-settings.ts';

/** Longer than those of callers: a chunk has up to 100 accounts, and nobody waits for it. */
export const LANE_STATEMENT_TIMEOUT_MS = 60_000;

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
  const { pace, report } = options;
  const runners = [
    startRunner({ ...options, lanes: bulk.lanes, dependencies }),
    startWebhookLanes({
      dependencies: { database, clock, webhooks: webhookSettings(environment, secrets) },
      lanes: environment.webhooks.lanes,
      report,
    }),
    ...(emails === undefined
      ? []
      : [startEmailLanes({ pace, report, emails: emailDependencies(emails, { database, clock }) })]),
  ];
  return {
    wake() {
      for (const runner of runners) runner.wake();
    },
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}

const emailDependencies = (
  emails: EmailSettings,
  { database, clock }: Pick<LaneOptions, 'database' | 'clock'>,
): EmailDependencies => ({
  database,
  clock,
  perMinute: emails.perMinute,
  perMailbox: emails.perMailbox,
  transport: createSmtpTransport(emails),
  templates: openTemplateRenderer(),
});
