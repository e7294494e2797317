import pg from 'pg';

const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * One connection, outside of any pool.
 *
 * @throws if the database cannot be reached, with the reason and without its password
 */
export async function connectClient(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    ...options,
  });
  client.on('error', () => undefined);
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    // If a name has several addresses, Node's error has no message of its own.
    throw new Error(`The database cannot be reached: ${error.message || error.code}`, { cause: error });
  });
  return client;
}
