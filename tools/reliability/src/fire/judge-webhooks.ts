import type { ReceivedMessage } from '@causeway/testing';
import type { ServiceWorld, Supplier } from '../rig/service-world.ts';
import { waitUntil } from '../rig/wait.ts';
import { type Claim, none } from '../scenario.ts';
import type { Site, Sites } from './webhook-sites.ts';

/** Nothing takes longer, on a slow machine. */
const PATIENCE_MS = 120_000;
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
  return [
    ...claims.flat(),
    ...none({
      'messages without a valid signature': sites.unsigned,
      'redirects that were followed': sites.astray,
    }),
  ];
}

async function judgeOf(world: ServiceWorld, { all }: Sites, supplier: Supplier): Promise<Claim[]> {
  const stored = await storedEvents(world, supplier);
  const known = new Set(stored.map(({ id }) => id));
  const types = typesOf(stored);
  const own = all.filter((site) => site.supplier === supplier);
  const inOrder = own.filter(({ name }) => IN_ORDER.includes(name));
  return [
    ...none({
      'events that an endpoint has not got': own.flatMap(({ name, messages }) => {
        const ids = new Set(messages.map(({ id }) => id));
        return stored.filter(({ id }) => !ids.has(id)).map((event) => ({ name, event }));
      }),
      "messages that are not an event of the endpoint's organisation": own.flatMap(({ messages }) =>
        messages.filter(({ id }) => !known.has(id)).map(({ body }) => body),
      ),
      'accounts whose events arrived first in another order': inOrder.flatMap((site) => {
        const events = firstArrivals(site).map(({ body }) => eventIn(body));
        const arrived = typesOf(events.map(({ type, data }) => ({ type, account: data.external_account_number })));
        return [...types]
          .filter(([account, expected]) => arrived.get(account) !== expected)
          .map(([account, expected]) => ({ site: site.name, account, expected, arrived: arrived.get(account) }));
      }),
    }),
  ];
}

/** The messages of a site without repetitions. */
const firstArrivals = ({ messages }: Site): ReceivedMessage[] =>
  messages.filter(({ id }, index) => messages.findIndex((other) => other.id === id) === index);

/** How long the slowest event took to arrive, in milliseconds. */
export const longestWaitMs = (site: Site): number =>
  Math.max(
    0,
    ...firstArrivals(site).map(({ body, at }) => performance.timeOrigin + at - Date.parse(eventIn(body).timestamp)),
  );

const eventIn = (body: string): TalkedEvent => JSON.parse(body);

/** An event as it is read and sent. */
interface TalkedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: { external_account_number?: string };
}

interface StoredEvent {
  id: string;
  type: string;
  account: string | null;
}

/** The events of an organisation, in the order of their numbers. */
function storedEvents(world: ServiceWorld, supplier: Supplier): Promise<StoredEvent[]> {
  return world.query(
    `SELECT 'evt_' || replace(event_id::text, '-', '') AS id, type, external_account_number AS account
    FROM events WHERE organisation_id = $1 ORDER BY events.id`,
    [supplier.organisationId],
  );
}

/** The types of each account's events, in their order. */
function typesOf(events: readonly { type: string; account?: string | null | undefined }[]): Map<string, string> {
  const byAccount = Map.groupBy(events, ({ account }) => account ?? '');
  return new Map([...byAccount].map(([account, all]) => [account, all.map(({ type }) => type).join()]));
}
