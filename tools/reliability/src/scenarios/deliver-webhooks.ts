import { type Random, strikeAtRandom } from '@causeway/testing';
import { inTheLog } from '../rig/canaries.ts';
import { leadAccounts } from '../rig/journeys.ts';
import { startWorld, type World } from '../rig/start-world.ts';
import { killInstances } from '../rig/strikers.ts';
import { waitUntil } from '../rig/wait.ts';
import {
  type Arrival,
  createSites,
  FAILURES,
  firstArrivals,
  judgeSites,
  LATE_FAILURES,
  type Sites,
  untilAllIsDelivered,
  untilAttemptsAreStored,
} from '../rig/webhooks.ts';
import { exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const PEACE_MS = { from: 50, to: 1_500 };
const MANY_KILLS = 10;
const ACCOUNTS_BESIDE_KILLS = 4;
/** The others hit whatever happens. */
const SHARE_AT_MESSAGES = 0.7;
/** A strike that meets no message until then hits whatever happens. */
const STRIKES_WITHIN_MS = 2_000;
/** Few, so that receivers that hang are felt. */
const LANES = '8';
/** What another organisation's event may wait beside receivers that hang, and after a kill. */
const BESIDE_HANGING_MS = 5_000;
const AFTER_A_KILL_MS = 10_000;

/** kill -9 of the service while it sends events to receivers of which most are bad in some way. */
export const sendWebhooksWhileKilled: Scenario = {
  row: 35,
  title: 'kill -9 of the service while it sends webhooks, most of them to bad receivers',
  unit: 'kills',
  full: 20,
  short: 1,
  async run(kills, random): Promise<Outcome> {
    const isSmall = kills < MANY_KILLS;
    const variables = { WEBHOOK_LANES: LANES, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' };
    await using world = await startWorld({ instances: isSmall ? 1 : 2, variables });
    const [own, other] = [await world.createSupplier(), await world.createSupplier()];
    await using sites = await createSites(world, { own, other, random: random.fork('sites') });
    const [clients, pauseMs] = isSmall ? [1, 200] : [2, 50];
    const many = leadAccounts(world, own, { clients, random: random.fork('many'), pauseMs });
    const few = leadAccounts(world, other, { clients: 1, random: random.fork('few'), pauseMs: 200 });
    await many.untilArrived(ACCOUNTS_BESIDE_KILLS);
    const failures = isSmall ? FAILURES : { ...FAILURES, ...LATE_FAILURES };
    const untold = await untilAttemptsAreStored(world, sites, failures);
    const killedAt = await killAtRandom(world, sites, { kills, random });
    await many.untilArrived(ACCOUNTS_BESIDE_KILLS);
    await Promise.all([many.finish(), few.finish()]);
    sites.fix();
    const left = await untilAllIsDelivered(world);
    const good = sites.of('is-good');
    const sent = sites.all.reduce((sum, { messages }) => sum + messages.length, 0);
    const events = firstArrivals(good).length;
    const { calm, struck } = waitsOf(firstArrivals(sites.of('is-good-too')), killedAt);
    const [calmMs, struckMs] = [Math.max(0, ...calm), Math.max(0, ...struck)];
    const repeated = good.messages.length - events;
    return {
      figures: `${kills} kills; ${events} events to ${sites.all.length - 1} endpoints of one organisation, ${sent} messages, ${repeated} of them again to its good one; ${calm.length + struck.length} events of another organisation: ${Math.round(calmMs)} ms later at most, ${Math.round(struckMs)} ms after a kill for the ${struck.length} beside one`,
      claims: [
        ...(await judgeSites(world, sites, [own, other])),
        ...none({ 'bad receivers of which no failed attempt is stored': untold }),
        exactly('messages that are not accepted after all receivers were fixed', left, 0),
        ...none({
          'answers that must not occur': [...many.ledger.odd, ...few.ledger.odd],
          'secrets, paths and answers in the log': inTheLog(world, sites.secrets),
        }),
        within("the longest wait of another organisation's event", calmMs, BESIDE_HANGING_MS),
        within('the same after a kill', struckMs, AFTER_A_KILL_MS),
      ],
    };
  },
};

/** When each kill was. Most of them meet a message that the good receiver has just got, and has not answered. */
async function killAtRandom(
  world: World,
  sites: Sites,
  { kills, random }: { kills: number; random: Random },
): Promise<number[]> {
  const striker = killInstances(world, random.fork('victims'));
  const { messages } = sites.of('is-good');
  const killedAt: number[] = [];
  await strikeAtRandom(random.fork('strikes'), {
    ...{ times: kills, peaceMs: PEACE_MS },
    async strike() {
      const before = messages.length;
      if (kills < MANY_KILLS || random.chance(SHARE_AT_MESSAGES)) {
        await waitUntil(() => messages.length > before, STRIKES_WITHIN_MS);
      }
      await striker.strike();
      killedAt.push(Date.now());
    },
  });
  await striker.finish();
  return killedAt;
}

/** How long events took to arrive: those that met a kill or what was left of one, since the last kill, and the others. */
function waitsOf(arrivals: readonly Arrival[], killedAt: readonly number[]) {
  const waits: { calm: number[]; struck: number[] } = { calm: [], struck: [] };
  for (const { arrivedAt, waitMs } of arrivals) {
    const happenedAt = arrivedAt - waitMs;
    const last = killedAt.findLast((at) => at <= arrivedAt && at >= happenedAt - AFTER_A_KILL_MS);
    if (last === undefined) waits.calm.push(waitMs);
    else waits.struck.push(arrivedAt - Math.max(last, happenedAt));
  }
  return waits;
}
