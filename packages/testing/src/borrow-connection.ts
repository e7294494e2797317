import type { Database } from '@causeway/db';
import type { PoolClient } from 'pg';

/**
 * A connection to hold locks with: `using client = await borrowConnection(pool)`. If the test ends before it has released
 * the connection, failed or not, it is closed, so that what it holds keeps no other test waiting.
 */
export async function borrowConnection(pool: Database['pool']): Promise<PoolClient & Disposable> {
  const client = await pool.connect();
  const release = client.release.bind(client);
  let isBorrowed = true;
  const giveBack = (isLost?: boolean | Error) => {
    if (isBorrowed) release(isLost);
    isBorrowed = false;
  };
  return Object.assign(client, { release: giveBack, [Symbol.dispose]: () => giveBack(true) });
}
