import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@causeway/testing';
import pg from 'pg';
import type { Supplier } from './service-world.ts';
import type { World } from './start-world.ts';

const SESSIONS = 4;
const HELD_MS = { from: 0, to: 60 };
const PAUSE_MS = { from: 0, to: 100 };
/** How the numbers of their accounts begin: nothing but an event is stored of them. */
export const LATE = 'LATE-';

const TELL = `INSERT INTO events (import_supplier_code, type, external_account_number, occurred_at)
  VALUES ($1, 'account.staged', $2, now())`;

/** Sessions that tell of accounts as the service does, in transactions that are committed later than those after them. */
export function writeLate({ postgres }: World, { code }: Supplier, random: Random): { finish(): Promise<void> } {
  let isOver = false;
  let number = 0;
  const writing = Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      while (!isOver) {
        number += 1;
        const account = `${LATE}${number}`;
        await client.query('BEGIN');
        await client.query(TELL, [code, account]);
        await delay(random.integer(HELD_MS.from, HELD_MS.to));
        await client.query('COMMIT');
        await delay(random.integer(PAUSE_MS.from, PAUSE_MS.to));
      }
      await client.end();
    }),
  );
  return {
    async finish() {
      isOver = true;
      await writing;
    },
  };
}
