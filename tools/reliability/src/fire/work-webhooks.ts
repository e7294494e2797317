import { inTheLog } from '../rig/canaries.ts';
import { type Movers, moveAccounts } from '../rig/move-accounts.ts';
import { waitUntil } from '../rig/wait.ts';
import { exactly, none, within } from '../scenario.ts';
import { judgeSites, longestWaitMs, untilAllIsDelivered } from './judge-webhooks.ts';
import { createSites } from './webhook-sites.ts';
import type { Work } from './work.ts';

const PAUSE_MS = 200;
/** Of one organisation, before the first strike and after the last one. */
const ACCOUNTS_BESIDE = 4;
/** The other strikes hit whatever happens. */
const SHARE_AT_MESSAGES = 0.7;
/** A strike that meets no message until then hits whatever happens. */
const STRIKES_WITHIN_MS = 2_000;
/** Of another organisation's event, beside receivers that hang and after a kill. */
const ARRIVES_WITHIN_MS = 10_000;

/** Accounts of two organisations are moved, one of which has nine bad receivers beside a good one. */
export const sendWebhooks: Work = {
  // Few lanes, so that receivers that hang are felt.
  variables: { WEBHOOK_LANES: '8', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' },
  async begin({ world, stack, random }) {
    const [own, other] = [await world.createSupplier(), await world.createSupplier()];
    const sites = stack.use(await createSites(world, { own, other, random: random.fork('sites') }));
    const travel = { clients: 1, pauseMs: PAUSE_MS };
    const movers = [own, other].map((supplier, side) =>
      moveAccounts(world, { ...travel, supplier, random: random.fork(`movers ${side}`) }),
    ) as [Movers, Movers];
    const { accounts } = movers[0].ledger;
    const untilMore = (more: number, before = accounts.size) => waitUntil(() => accounts.size >= before + more);
    await untilMore(ACCOUNTS_BESIDE);
    const { messages } = sites.of('is-good');
    return {
      async untilStrike() {
        const before = messages.length;
        if (random.chance(SHARE_AT_MESSAGES)) await waitUntil(() => messages.length > before, STRIKES_WITHIN_MS);
      },
      async judge() {
        await untilMore(ACCOUNTS_BESIDE);
        const moved = [await movers[0].judge(), await movers[1].judge()];
        sites.fix();
        const left = await untilAllIsDelivered(world);
        const sent = sites.all.reduce((sum, site) => sum + site.messages.length, 0);
        const repeated = messages.length - new Set(messages.map(({ id }) => id)).size;
        const longestMs = longestWaitMs(sites.of('is-good-too'));
        return {
          figures: `${sent} messages to ${sites.all.length} endpoints, ${repeated} of them again to a good one; another organisation's events ${Math.round(longestMs)} ms later at most`,
          claims: [
            ...moved.flatMap(({ claims }) => claims),
            ...(await judgeSites(world, sites, [own, other])),
            exactly('messages that are not accepted after all receivers were fixed', left, 0),
            ...none({ 'secrets, paths and answers in the log': inTheLog(world, sites.secrets) }),
            within("the longest wait of another organisation's event", longestMs, ARRIVES_WITHIN_MS),
          ],
        };
      },
    };
  },
};
