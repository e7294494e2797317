import type { Dependencies, SignReport, TemplateRenderer, WebhookSettings } from '@causeway/domain';
import type { Logger } from 'pino';
import type { BodyLimits } from '../bodies/receive-body.ts';
import type { PartThreads } from '../bulk/part-threads.ts';
import type { AttemptLimits } from '../graphql/attempt-limiter.ts';
import type { Readiness } from '../health/health.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import type { Admission } from '../overload/admission.ts';
import type { Connections } from '../overload/connections.ts';
import type { Parties } from '../overload/party.ts';
import type { Authenticator } from './caller.ts';
import type { Tokens } from './tokens.ts';

/** The parts that the app is put together from. */
export interface AppDependencies {
  domain: Dependencies & { templates: TemplateRenderer };
  authenticator: Authenticator;
  tokens: Tokens;
  signReport: SignReport;
  webhooks: WebhookSettings;
  metrics: Metrics;
  tracing: Tracing;
  logger: Logger;
  readiness: Readiness;
  limits: BodyLimits;
  partThreads: PartThreads;
  attemptLimits: AttemptLimits;
  admission: Admission;
  connections: Connections;
  /** For the bodies of callers that are not authenticated yet. */
  limitsOfUnknown: BodyLimits;
  parties: Parties;
  /** Whether another server serves them, on its own port. */
  hidesMetrics: boolean;
  /** The number of trusted reverse proxies. */
  trustedProxies: number;
}
