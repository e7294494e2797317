import { type Random, type ReceivedMessage, startWebhookReceiver, type VendorBehaviour } from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import { fieldOf, nameOf, send } from './send.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';
import { waitUntil } from './wait-until.ts';

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
    const answer = await send(world.url(), { path: '/v1/data-import/webhook-endpoints/', body, token: supplier.token });
    if (answer?.status !== 201) throw new Error(`Creating an endpoint was answered ${nameOf(answer)}`);
    const [id, secret] = ['id', 'secret'].map((field) => String(fieldOf(answer.body, field))) as [string, string];
    all.push({ name, id, secret, supplier, messages: [] });
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
  { query }: Pick<ServiceWorld, 'query'>,
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
export async function untilAllIsDelivered({ query }: Pick<ServiceWorld, 'query'>): Promise<number> {
  let left = 0;
  await waitUntil(async () => {
    await query("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'WAITING'");
    await query('UPDATE webhook_endpoints SET not_before = NULL WHERE not_before IS NOT NULL');
    const [row] = await query<{ left: number }>(
      `SELECT (SELECT count(*) FROM webhook_deliveries WHERE state <> 'DELIVERED')::int + (
        SELECT count(*) FROM webhook_endpoints AS endpoint JOIN events USING (organisation_id)
        WHERE events.id > endpoint.position
      )::int AS left`,
    );
    left = row?.left ?? 0;
    return left === 0;
  }, PATIENCE_MS);
  return left;
}
