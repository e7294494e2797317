import { type Random, type ReceivedMessage, startWebhookReceiver, type VendorBehaviour } from '@causeway/testing';
import { Webhook } from 'standardwebhooks';
import type { ServiceWorld, Supplier } from '../rig/service-world.ts';
import { createEndpoint } from '../rig/webhooks.ts';

/** What every receiver answers, if it answers something: the log must not have it. */
const ANSWER = 'words-of-a-receiver';
const LONG_ANSWER = ANSWER.padEnd(200_000, ' and much more');
const ACCEPTS: VendorBehaviour = { kind: 'answer', status: 204, body: '' };
/** Of the good receivers, so that a kill meets messages under way. */
const GOOD_DELAY_MS = { from: 5, to: 25 };

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
