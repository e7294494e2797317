import { isNetwork } from '@causeway/domain';
import { z } from 'zod';
import { number } from './read-variables.ts';

export const webhookVariables = {
  WEBHOOK_LANES: number(32, { from: 0, to: 1_000 }),
  WEBHOOK_ALLOWED_NETWORKS: z.string().optional().transform(readNetworks),
};

export interface WebhooksEnvironment {
  /** To how many endpoints this instance sends at the same time. */
  lanes: number;
  /** To which it sends beside the public internet. */
  allowedNetworks: readonly string[];
}

export function webhooksEnvironment(data: z.infer<z.ZodObject<typeof webhookVariables>>): WebhooksEnvironment {
  return { lanes: data.WEBHOOK_LANES, allowedNetworks: data.WEBHOOK_ALLOWED_NETWORKS };
}

/** Commas between them. */
function readNetworks(setting: string | undefined, context: z.core.$RefinementCtx): string[] {
  const networks = (setting ?? '').split(',').flatMap((text) => (text.trim() === '' ? [] : [text.trim()]));
  if (networks.every(isNetwork)) return networks;
  const message = 'must be networks such as 10.20.0.0/16 or fd00::/8, with commas between them';
  context.issues.push({ code: 'custom', message, input: undefined });
  return z.NEVER;
}
