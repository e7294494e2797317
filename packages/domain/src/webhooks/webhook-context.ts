import type { Context } from '../context.ts';
import type { AddressRules } from './address-rules.ts';
import type { SecretBox } from './secret-box.ts';

/** What webhooks need beside the environment of all use cases. */
export interface WebhookSettings {
  addresses: AddressRules;
  secrets: SecretBox;
}

/** What one call about webhook endpoints needs. */
export interface WebhookContext extends Context {
  webhooks: WebhookSettings;
}
