import { type Random, strikeAtRandom } from '@causeway/testing';
import { doubtsOf, judgeMoves, wasFelt } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { type Instance, startWorld, type World } from '../rig/start-world.ts';
import { none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 6;
/** The random pause between two strikes, so that they hit any point. */
const PEACE_MS = { from: 50, to: 550 };

/** A key whose request was interrupted is claimed for 30 seconds: too long for the short form. */
const MANY_STRIKES = 50;

/** Who strikes, and how often it may. */
export interface Striker {
  strike(): Promise<void>;
  /** Resolves when everything that it struck serves again. */
  finish(): Promise<void>;
}

/** kill -9 of one of four instances at random times, restarted immediately, while clients move accounts. */
export const surviveKilledService: Scenario = {
  row: 4,
  title: 'kill -9 of the service under load',
  unit: 'kills',
  full: 200,
  short: 1,
  run: (kills, random) => moveUnderFire({ strikes: kills, random, instances: 4 }, killInstances),
};

/** The same with the database: an immediate stop, which is a crash, and a start that recovers. */
export const surviveCrashedDatabase: Scenario = {
  row: 4,
  title: 'immediate stop of the database under load',
  unit: 'stops',
  full: 200,
  short: 1,
  run: (stops, random) => moveUnderFire({ strikes: stops, random, instances: 2 }, crashDatabase),
};

/** Does not wait for the instance to start, which takes most of the time. Of several, the last one that serves is spared. */
export function killInstances(world: World, random: Random): Striker {
  const starting = new Map<Instance, Promise<unknown>>();
  const most = Math.max(1, world.instances.length - 1);
  return {
    async strike() {
      while (starting.size >= most) await Promise.race(starting.values());
      const victim = random.pick(world.instances.filter((instance) => !starting.has(instance)));
      starting.set(
        victim,
        victim.process.restart().then(() => starting.delete(victim)),
      );
    },
    async finish() {
      await Promise.all(starting.values());
    },
  };
}

export function crashDatabase({ postgres, instances }: World): Striker {
  return {
    async strike() {
      await postgres.crash();
      await postgres.start();
      for (const { proxy } of instances) proxy.retarget(postgres.port);
    },
    finish: async () => undefined,
  };
}

interface Battle {
  strikes: number;
  random: Random;
  instances: number;
}

async function moveUnderFire(
  { strikes, random, instances }: Battle,
  arm: (world: World, random: Random) => Striker,
): Promise<Outcome> {
  // By default recovery begins with a sync of all files one by one, which takes half of its time.
  await using world = await startWorld({ instances, settings: { recovery_init_sync_method: 'syncfs' } });
  const supplier = await world.createSupplier();
  const keyedShare = strikes < MANY_STRIKES ? 0 : 0.1;
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random: random.fork('clients'), keyedShare });
  const striker = arm(world, random.fork('victims'));
  const doubtsBefore: number[] = [];
  await strikeAtRandom(random.fork('strikes'), {
    times: strikes,
    peaceMs: PEACE_MS,
    async strike() {
      doubtsBefore.push(movers.ledger.inDoubt);
      await striker.strike();
    },
  });
  await striker.finish();
  await movers.finish();
  const { ledger } = movers;
  const felt = doubtsBefore.filter((doubts, number) => (doubtsBefore[number + 1] ?? ledger.inDoubt) > doubts).length;
  const { lost, doubled, claims } = await judgeMoves(world, supplier, ledger);
  const share = ((100 * ledger.inDoubt) / ledger.sent).toFixed(2);
  return {
    figures: `${strikes} strikes, ${felt} felt by a client before the next; ${ledger.accounts.size} accounts, ${ledger.sent} requests, ${share} % in doubt (${doubtsOf(ledger)}), ${ledger.countedUntold} of these had counted, ${ledger.repeated} repeated with a key; ${lost} lost, ${doubled} doubled`,
    claims: [
      ...claims,
      ...wasFelt(ledger, strikes),
      none('a request with a key answered otherwise than the first with it', ledger.unlike),
    ],
  };
}
