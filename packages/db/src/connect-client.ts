import type pg from 'pg';
import { clientOf, hostsOf } from './hosts.ts';

const CONNECTION_TIMEOUT_MS = 10_000;

/**
 * One connection, outside of any pool; of several hosts, to the first that takes writes.
 *
 * @throws if the database cannot be reached, with the reason and without its password
 */
export async function connectClient(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const hosts = hostsOf(url);
  const Client = clientOf(hosts);
  const reasons: string[] = [];
  for (const tried of hosts.urls) {
    try {
      return await connectOnce(Client, { ...options, connectionString: hosts.current() });
    } catch (error) {
      const reason = reasonOf(error as NodeJS.ErrnoException);
      reasons.push(hosts.urls.length === 1 ? reason : `${new URL(tried).host}: ${reason}`);
      if (reasons.length === hosts.urls.length) {
        throw new Error(`The database cannot be reached: ${reasons.join('; ')}`, { cause: error });
      }
    }
  }
  throw new Error('The database has no host');
}

async function connectOnce(Client: typeof pg.Client, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new Client({
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // A migration may take long, so nothing limits its time: a server that has vanished is noticed by TCP.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...options,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** If a name has several addresses, Node's error has no message of its own. */
function reasonOf({ message, code }: NodeJS.ErrnoException): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${message} (sslmode=verify-full wants the host of the URL)`;
  return message || String(code);
}
