import pg from 'pg';

/** The hosts of a URL, in its order, as URLs of one host each, and the one that took writes last. */
export interface Hosts {
  readonly urls: readonly string[];
  /** The host to connect to next. */
  current(): string;
  /** That host refused, or takes no writes: the next one is next, unless another connection has gone on already. */
  leave(url: string): void;
}

const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)([^#]*)$/;
const TARGET = 'target_session_attrs';
/** A service that only reads is of no use, so only these make sense. */
const TARGETS = new Set([null, 'any', 'read-write', 'primary']);
const CANNOT_CONNECT_NOW = '57P03';

/**
 * The URLs of the single hosts of a URL that may name several, as libpq reads it (`host:port,host:port/database`); pg
 * knows one host only. Empty if it is no URL of a database, or wants a session that cannot write.
 */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = PARTS.exec(url) ?? [];
  const urls = hosts.split(',').map((host) => `${start}${host}${rest}`);
  if (start === '' || !urls.every((one) => URL.canParse(one))) return [];
  if (!TARGETS.has(new URL(urls[0] as string).searchParams.get(TARGET))) return [];
  return urls.map(withoutTarget);
}

function withoutTarget(url: string): string {
  const [place = '', parameters = ''] = url.split('?');
  const others = parameters.split('&').filter((one) => one !== '' && !one.startsWith(`${TARGET}=`));
  return others.length === 0 ? place : `${place}?${others.join('&')}`;
}

/** Shared by everything that connects to one URL, so that what one connection has found out helps the next. */
const known = new Map<string, Hosts>();

export function hostsOf(url: string): Hosts {
  const found = known.get(url) ?? createHosts(url);
  known.set(url, found);
  return found;
}

function createHosts(url: string): Hosts {
  const split = splitHosts(url);
  // pg then says what is wrong with it.
  const urls = split.length === 0 ? [url] : split;
  let index = 0;
  const current = () => urls[index % urls.length] as string;
  return {
    urls,
    current,
    leave(left) {
      if (current() === left) index += 1;
    },
  };
}

/**
 * pg's client that connects to the current host of a URL. If that fails, or the host takes no writes, the next client
 * connects to the next host: anyone who asked is told, and asks again. With one host it is pg's own client.
 */
export function clientOf(hosts: Hosts): typeof pg.Client {
  if (hosts.urls.length === 1) return pg.Client;
  return class extends pg.Client {
    readonly #url: string;

    constructor(options: pg.ClientConfig) {
      const url = hosts.current();
      super({ ...options, connectionString: url });
      this.#url = url;
      // A pool listens only once it is connected.
      this.on('error', () => undefined);
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = this.#connect();
      if (callback === undefined) return connected;
      connected.then(() => (callback as (error?: Error) => void)(), callback);
      return undefined;
    }

    async #connect(): Promise<pg.Client> {
      try {
        await super.connect();
        await refuseReadOnly(this);
        return this;
      } catch (error) {
        hosts.leave(this.#url);
        throw error;
      }
    }
  };
}

/** As libpq's `read-write` does: not a standby, and not read-only by default. */
async function refuseReadOnly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ writes: boolean }>(
    `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writes`,
  );
  if (rows[0]?.writes) return;
  await client.end().catch(() => undefined);
  throw Object.assign(new Error('The host takes no writes'), { code: CANNOT_CONNECT_NOW });
}
