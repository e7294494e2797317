import type { Database } from '@causeway/db';
import { exchangeApiKey } from '../../src/api-keys/refresh-tokens.ts';
import type { Actor } from '../../src/shared/actor.ts';

/** Who acts with this API key, or undefined where it is not a key in force. */
export async function verifyApiKey(database: Database, apiKey: string): Promise<Actor | undefined> {
  return (await exchangeApiKey(database, apiKey))?.actor;
}
