import type { Database } from '@causeway/db';
import { createAddressRules, createSecretBox, sealSecretsAgain, type WebhookSettings } from '@causeway/domain';
import type { Environment } from '../env.ts';

/** The secrets from which the key is derived that encrypts those of endpoints. */
export interface TokenSecrets {
  secret: string;
  otherSecret: string | undefined;
}

/** What use cases and lanes need for webhooks. */
export function webhookSettings(
  { webhooks }: Pick<Environment, 'webhooks'>,
  { secret, otherSecret }: TokenSecrets,
): WebhookSettings {
  return { addresses: createAddressRules(webhooks.allowedNetworks), secrets: createSecretBox(secret, otherSecret) };
}

/** The same at a start, which encrypts anew what the former secret has encrypted (behaviour 28.3). */
export async function prepareWebhooks(
  database: Database,
  environment: Pick<Environment, 'webhooks'>,
  secrets: TokenSecrets,
): Promise<WebhookSettings> {
  const settings = webhookSettings(environment, secrets);
  if (secrets.otherSecret !== undefined) await sealSecretsAgain(database, settings.secrets);
  return settings;
}
