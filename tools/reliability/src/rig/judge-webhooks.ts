import { createClient } from '@causeway/client';
import { type Claim, none } from '../scenario.ts';
import { isPersonal } from './journeys.ts';
import { lettersOf, storedEvents } from './judge-events.ts';
import type { TalkedEvent } from './read-events.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import type { Site, Sites } from './webhook-site.ts';

/** Those whose connections nobody breaks: the events of an account arrive there in their order. */
const IN_ORDER = ['is-good', 'is-good-too'];

/** Compares what has arrived at each endpoint with the events of its organisation. */
export async function judgeSites(world: ServiceWorld, sites: Sites, suppliers: readonly Supplier[]): Promise<Claim[]> {
  const claims = await Promise.all(suppliers.map((supplier) => judgeOf(world, sites, supplier)));
  const bodies = sites.all.flatMap(({ messages }) => messages.map(({ body }) => body));
  return [
    ...claims.flat(),
    none('messages without a valid signature', sites.unsigned),
    none('redirects that were followed', sites.astray),
    none('messages with personal data', bodies.filter(isPersonal)),
  ];
}

async function judgeOf(world: ServiceWorld, { all }: Sites, supplier: Supplier): Promise<Claim[]> {
  const stored = await storedEvents(world, supplier);
  const told = new Map((await readAll(world, supplier)).map((event) => [event.id, JSON.stringify(event)]));
  const letters = lettersOf(stored);
  const own = all.filter((site) => site.supplier === supplier);
  const inOrder = own.filter(({ name }) => IN_ORDER.includes(name));
  return [
    none(
      'events that an endpoint has not got',
      own.flatMap(({ name, messages }) => {
        const ids = new Set(messages.map(({ id }) => id));
        return stored.filter(({ id }) => !ids.has(id)).map((event) => ({ name, event }));
      }),
    ),
    none(
      "messages that are not an event of the endpoint's organisation as it is read",
      own.flatMap(({ name, messages }) =>
        messages.filter(({ id, body }) => told.get(id) !== body).map(({ id, body }) => ({ name, id, body })),
      ),
    ),
    none(
      'accounts whose events arrived first in another order',
      inOrder.flatMap((site) => {
        const arrived = lettersOf(firstArrivals(site));
        return [...letters]
          .filter(([account, expected]) => arrived.get(account) !== expected)
          .map(([account, expected]) => ({ site: site.name, account, expected, arrived: arrived.get(account) }));
      }),
    ),
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
