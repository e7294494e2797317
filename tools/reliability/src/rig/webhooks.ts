import { createClient } from '@causeway/client';
import { type Random, type ReceivedMessage, startWebhookReceiver, type VendorBehaviour } from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import { type Claim, none } from '../scenario.ts';
import { lettersOf, storedEvents, type TalkedEvent } from './events.ts';
import { isPersonal } from './journeys.ts';
import { mustSend } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import { waitUntil } from './wait.ts';

type Endpoint = { url: string; description?: string; import_suppliers?: readonly string[] };

/** Creates an endpoint of an organisation: its id, and the secret that messages to it are signed with. */
export async function createEndpoint(world: ServiceWorld, { token }: Supplier, body: Endpoint) {
  const created = await mustSend(world.url(), { path: '/v1/data-import/webhook-endpoints/', body, token });
  return created as { id: string; secret: string };
}

/** In one transaction, each about an account of its own: no import is that fast. */
export async function addEvents(world: ServiceWorld, { code }: Supplier, count: number): Promise<void> {
  await world.query(
    `INSERT INTO events (import_supplier_code, type, external_account_number, data, occurred_at)
     SELECT $1, 'account.staged', 'M-' || number, '{"times_staged": 1}', now() FROM generate_series(1, $2::int) AS number`,
    [code, count],
  );
}

/** How long the next message takes after an event; the patience, if it has not come then. */
export async function waitOf(
  world: ServiceWorld,
  supplier: Supplier,
  { messages, patienceMs }: { messages: () => number; patienceMs: number },
): Promise<number> {
  const before = messages();
  const addedAt = performance.now();
  await addEvents(world, supplier, 1);
  const hasCome = await waitUntil(() => messages() > before, patienceMs);
  return hasCome ? performance.now() - addedAt : patienceMs;
}

/** What every receiver answers, if it answers something: the log must not have it. */
const ANSWER = 'words-of-a-receiver';
const LONG_ANSWER = ANSWER.padEnd(200_000, ' and much more');
const ACCEPTS: VendorBehaviour = { kind: 'answer', status: 204, body: '' };
/** Of the good receivers, so that a kill meets messages under way. */
const GOOD_DELAY_MS = { from: 5, to: 25 };
/** Nothing takes longer, on a slow machine. */
const PATIENCE_MS = 120_000;

/** How the bad receivers behave, by their paths; where a redirect leads is another path. */
const BAD: Readonly<Record<string, VendorBehaviour>> = {
  refuses: { kind: 'answer', status: 500, body: ANSWER },
  redirects: { kind: 'answer', status: 307, headers: { location: '/caught' }, body: ANSWER },
  resets: { kind: 'reset' },
  switches: { kind: 'answer', status: 101, headers: { connection: 'Upgrade', upgrade: 'other' }, body: '' },
  hangs: { kind: 'silence' },
  trickles: { kind: 'trickle', intervalMs: 300 },
  cuts: { kind: 'cut', body: ANSWER },
  floods: { kind: 'answer', body: LONG_ANSWER },
  'is-slow': { kind: 'answer', body: ANSWER, delayMs: 300 },
};
/** What is stored of the attempts that fail; the other bad receivers accept, in their way. */
export const FAILURES = {
  refuses: 'status',
  redirects: 'redirected',
  resets: 'connection_failed',
  switches: 'connection_failed',
};
export const LATE_FAILURES = { hangs: 'timed_out' };

/** An endpoint, and what arrived there. */
export interface Site {
  name: string;
  id: string;
  supplier: Supplier;
  secret: string;
  messages: ReceivedMessage[];
}

/** Receivers, and endpoints that lead to them. */
export interface Sites extends AsyncDisposable {
  readonly all: readonly Site[];
  /** By its name. */
  of(name: string): Site;
  /** Messages that were signed with another secret, or not at all. */
  readonly unsigned: unknown[];
  /** Requests to a path that no endpoint has. */
  readonly astray: string[];
  /** What no log may have. */
  readonly secrets: readonly string[];
  /** From now on all receivers accept; who waits for an answer gets none. */
  fix(): void;
}

/** `own` has a good receiver and all bad ones, `other` a good one. */
export async function createSites(
  world: ServiceWorld,
  { own, other, random }: { own: Supplier; other: Supplier; random: Random },
): Promise<Sites> {
  const [good, bad] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
  const all: Site[] = [];
  const unsigned: unknown[] = [];
  const astray: string[] = [];
  const slug = `path-${random.integer(1_000_000, 9_999_999)}`;

  async function create(name: string, supplier: Supplier, receiver: typeof good): Promise<void> {
    const body = { url: `${receiver.url}/${slug}/${name}` };
    all.push({ ...(await createEndpoint(world, supplier, body)), name, supplier, messages: [] });
  }

  /** Its site, which has it then. */
  function take(message: ReceivedMessage): Site | undefined {
    const site = all.find(({ name }) => message.path === `/${slug}/${name}`);
    if (site === undefined) {
      astray.push(message.path);
      return undefined;
    }
    site.messages.push(message);
    try {
      new Webhook(site.secret).verify(message.body, message.headers as Record<string, string>);
    } catch (error) {
      unsigned.push({ site: site.name, id: message.id, error: String(error) });
    }
    return site;
  }

  good.behave((message) => {
    take(message);
    return { ...ACCEPTS, delayMs: random.integer(GOOD_DELAY_MS.from, GOOD_DELAY_MS.to) };
  });
  bad.behave((message) => BAD[take(message)?.name ?? ''] ?? ACCEPTS);
  await create('is-good', own, good);
  await create('is-good-too', other, good);
  for (const name of Object.keys(BAD)) await create(name, own, bad);
  return {
    all,
    of(name) {
      const site = all.find((one) => one.name === name);
      if (site === undefined) throw new Error(`There is no endpoint ${name}`);
      return site;
    },
    unsigned,
    astray,
    secrets: [slug, ANSWER, ...all.map(({ secret }) => secret)],
    fix() {
      bad.behave((message) => {
        take(message);
        return ACCEPTS;
      });
      bad.hangUp();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([good.close(), bad.close()]);
    },
  };
}

/** Waits until an attempt of each of these sites is stored with its failure; those of which none is. */
export async function untilAttemptsAreStored(
  { query }: ServiceWorld,
  sites: Sites,
  failures: Readonly<Record<string, string>>,
): Promise<string[]> {
  let missing = Object.keys(failures);
  await waitUntil(async () => {
    const rows = await query<{ stored: string }>(
      "SELECT DISTINCT webhook_endpoint_id || ' ' || failure AS stored FROM webhook_deliveries",
    );
    const stored = new Set(rows.map((row) => row.stored));
    missing = missing.filter((name) => !stored.has(`${sites.of(name).id} ${failures[name]}`));
    return missing.length === 0;
  }, PATIENCE_MS);
  return missing;
}

/**
 * Lets the waits between attempts pass until each endpoint has accepted each event. How many messages are still to be
 * accepted.
 */
export async function untilAllIsDelivered({ query, count }: ServiceWorld): Promise<number> {
  let left = 0;
  await waitUntil(async () => {
    await query("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'WAITING'");
    await query('UPDATE webhook_endpoints SET not_before = NULL WHERE not_before IS NOT NULL');
    left = await count(
      `SELECT (SELECT count(*) FROM webhook_deliveries WHERE state <> 'DELIVERED') + (
        SELECT count(*) FROM webhook_endpoints AS endpoint JOIN events USING (organisation_id)
        WHERE events.id > endpoint.position
      )`,
    );
    return left === 0;
  }, PATIENCE_MS);
  return left;
}

/** Those whose connections nobody breaks: the events of an account arrive there in their order. */
const IN_ORDER = ['is-good', 'is-good-too'];

/** Compares what has arrived at each endpoint with the events of its organisation. */
export async function judgeSites(world: ServiceWorld, sites: Sites, suppliers: readonly Supplier[]): Promise<Claim[]> {
  const claims = await Promise.all(suppliers.map((supplier) => judgeOf(world, sites, supplier)));
  const bodies = sites.all.flatMap(({ messages }) => messages.map(({ body }) => body));
  return [
    ...claims.flat(),
    ...none({
      'messages without a valid signature': sites.unsigned,
      'redirects that were followed': sites.astray,
      'messages with personal data': bodies.filter(isPersonal),
    }),
  ];
}

async function judgeOf(world: ServiceWorld, { all }: Sites, supplier: Supplier): Promise<Claim[]> {
  const stored = await storedEvents(world, supplier);
  const told = new Map((await readAll(world, supplier)).map((event) => [event.id, JSON.stringify(event)]));
  const letters = lettersOf(stored);
  const own = all.filter((site) => site.supplier === supplier);
  const inOrder = own.filter(({ name }) => IN_ORDER.includes(name));
  return [
    ...none({
      'events that an endpoint has not got': own.flatMap(({ name, messages }) => {
        const ids = new Set(messages.map(({ id }) => id));
        return stored.filter(({ id }) => !ids.has(id)).map((event) => ({ name, event }));
      }),
      "messages that are not an event of the endpoint's organisation as it is read": own.flatMap(({ name, messages }) =>
        messages.filter(({ id, body }) => told.get(id) !== body).map(({ id, body }) => ({ name, id, body })),
      ),
      'accounts whose events arrived first in another order': inOrder.flatMap((site) => {
        const arrived = lettersOf(firstArrivals(site));
        return [...letters]
          .filter(([account, expected]) => arrived.get(account) !== expected)
          .map(([account, expected]) => ({ site: site.name, account, expected, arrived: arrived.get(account) }));
      }),
    }),
  ];
}

/** An event as it came for the first time. */
export interface Arrival {
  type: string;
  account: string | null;
  /** In milliseconds since 1970. */
  arrivedAt: number;
  /** Since it happened. */
  waitMs: number;
}

export function firstArrivals({ messages }: Site): Arrival[] {
  const first = new Map([...messages].reverse().map((message) => [message.id, message]));
  return messages
    .filter((message) => first.get(message.id) === message)
    .map(({ body, at }) => {
      const { type, timestamp, data } = JSON.parse(body) as TalkedEvent;
      const arrivedAt = performance.timeOrigin + at;
      const account = data.external_account_number ?? null;
      return { type, account, arrivedAt, waitMs: arrivedAt - Date.parse(timestamp) };
    });
}

/** As its organisation reads them. */
async function readAll(world: ServiceWorld, { apiKey }: Supplier): Promise<TalkedEvent[]> {
  const { dataImport } = createClient({ url: world.url(), apiKey });
  const events: TalkedEvent[] = [];
  for (let after: string | undefined; ; ) {
    const page = await dataImport.listEvents.query({ limit: 1_000, ...(after !== undefined && { after }) });
    events.push(...(page.events as TalkedEvent[]));
    if (!page.has_more || page.next === null) return events;
    after = page.next;
  }
}
