import { DatabaseSync } from 'node:sqlite';
import type { components } from '../generated/causeway-api.ts';

/** An event, or the test of an endpoint. */
export type Message = components['schemas']['Event'] | { id: string; type: 'webhook.test' };

/** The messages that have arrived, on disk: what was accepted is not sent again. */
export interface WebhookInbox {
  /** Keeps a message, unless one with this id was there. It is on disk when this returns. */
  add(id: string, message: Message): void;
  /** The oldest one that is not done. */
  next(): { id: string; message: Message } | undefined;
  markDone(id: string): void;
}

export function openWebhookInbox(file: string): WebhookInbox {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE IF NOT EXISTS messages (
      place INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      message TEXT NOT NULL,
      is_done INTEGER NOT NULL DEFAULT FALSE
    ) STRICT;
    CREATE INDEX IF NOT EXISTS messages_to_do ON messages (place) WHERE NOT is_done;`);
  const add = database.prepare('INSERT INTO messages (id, message) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const next = database.prepare('SELECT id, message FROM messages WHERE NOT is_done ORDER BY place LIMIT 1');
  const markDone = database.prepare('UPDATE messages SET is_done = TRUE WHERE id = ?');
  return {
    add: (id, message) => void add.run(id, JSON.stringify(message)),
    next() {
      const row = next.get() as { id: string; message: string } | undefined;
      return row && { id: row.id, message: JSON.parse(row.message) };
    },
    markDone: (id) => void markDone.run(id),
  };
}
