export { type EmailLanesOptions, startEmailLanes } from './email-lanes.ts';
export { PACE, type Pace } from './pace.ts';
export type { RunnerOptions, RunnerReport } from './runner-options.ts';
export { type Runner, startRunner } from './start-runner.ts';
export { startWebhookLanes, type WebhookLanesOptions, type WebhookReport } from './webhook-lanes.ts';
