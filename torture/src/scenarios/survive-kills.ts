import { type Random, strikeAtRandom } from '@causeway/testing';
import { readEffects } from '../rig/effects.ts';
import { compare, type Ledger, moveAccounts } from '../rig/move-accounts.ts';
import { OPERATIONS } from '../rig/operations.ts';
import { startWorld, type World } from '../rig/start-world.ts';
import { exactly, none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 12;
/** From the moment everything serves again to the next strike: drawn from this span, so that it hits any point. */
const PEACE_MS = { from: 100, to: 900 };

type Strike = (world: World, number: number) => Promise<void>;

/** kill -9 of one of two instances at random moments, started again at once, while clients move accounts. */
export const surviveKilledService: Scenario = {
  row: 4,
  title: 'kill -9 of the service under load',
  unit: 'kills',
  full: 200,
  run: (kills, random) =>
    strike({ kills, random }, async (world, number) => {
      await world.instances[number % world.instances.length]?.process.restart();
    }),
};

/** The same with the database: an immediate stop, which is a crash, and a start that recovers. */
export const surviveCrashedDatabase: Scenario = {
  row: 4,
  title: 'immediate stop of the database under load',
  unit: 'stops',
  full: 200,
  run: (kills, random) =>
    strike({ kills, random }, async ({ postgres, instances }) => {
      await postgres.crash();
      await postgres.start();
      for (const { proxy } of instances) proxy.retarget(postgres.port);
    }),
};

async function strike({ kills, random }: { kills: number; random: Random }, victim: Strike): Promise<Outcome> {
  await using world = await startWorld({ instances: 2 });
  const supplier = await world.createSupplier();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random: random.fork('clients') });
  let hit = 0;
  await strikeAtRandom(random.fork('strikes'), {
    times: kills,
    peaceMs: PEACE_MS,
    strike: async (number) => {
      const doubtsBefore = movers.ledger.inDoubt;
      await victim(world, number);
      if (movers.ledger.inDoubt > doubtsBefore) hit += 1;
    },
  });
  await movers.finish();
  const { ledger } = movers;
  const effects = await readEffects(world, supplier);
  const { lost, doubled } = compare(ledger, effects);
  const doubts = Object.entries(ledger.doubts).map(([name, times]) => `${times} x ${name}`);
  const share = ((100 * ledger.inDoubt) / ledger.sent).toFixed(2);
  return {
    figures: `${kills} strikes, ${hit} felt at once; ${ledger.accounts.size} accounts, ${ledger.sent} requests, ${share} % in doubt (${doubts.join(', ')}), ${ledger.countedUntold} of these had counted; ${lost.length} lost, ${doubled.length} doubled`,
    claims: [
      none('acknowledged writes lost', lost),
      none('writes counted twice or in part', doubled),
      none('an answer that is neither success nor 503', ledger.odd),
      exactly('accounts that every operation was acknowledged on', acknowledgedWhole(ledger.accounts), effects.length),
      exactly('some requests were in doubt', String(ledger.inDoubt > 0), 'true'),
      none(
        'instances that ended by themselves',
        world.instances.filter(({ process }) => process.exited).map(({ process }) => process.errorLines.slice(-5)),
      ),
    ],
  };
}

function acknowledgedWhole(accounts: Ledger['accounts']): number {
  return [...accounts.values()].filter(({ acknowledged }) => acknowledged.size === OPERATIONS.length).length;
}
