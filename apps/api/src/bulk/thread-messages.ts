import type { ChunkCounts } from '@causeway/domain';
import type { Environment } from '../env.ts';
import type { Connection } from '../start/open-migrated-database.ts';
import type { TokenSecrets } from '../webhooks/webhook-settings.ts';

/** What the thread of the lanes is started with. */
export interface ThreadData {
  /** That of the service. */
  environment: Environment;
  connection: Connection;
  secrets: TokenSecrets;
  /** One 32-bit number: a `Pace`. */
  pace: SharedArrayBuffer;
}

/** What the thread tells the service. */
export type ThreadMessage =
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; event: string; facts: Record<string, unknown> }
  | { kind: 'lines'; counts: ChunkCounts; runMode: string }
  | { kind: 'emails'; outcome: string; emails: number }
  | { kind: 'own_texts'; emails: number }
  | { kind: 'chunk'; result: string; seconds: number }
  | { kind: 'webhook'; outcome: 'accepted' | 'failed'; seconds: number };

/** What the service tells the thread: to end its chunks, and then itself. */
export type ServiceMessage = 'stop';
