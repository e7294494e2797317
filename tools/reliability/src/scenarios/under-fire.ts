import { type Random, strikeAtRandom } from '@causeway/testing';
import { DATABASE, PRIMARY, SERVICE, type Victim } from '../fire/victims.ts';
import type { Work } from '../fire/work.ts';
import { moveAccountsOneByOne } from '../fire/work-accounts.ts';
import { moveBooksOneByOne } from '../fire/work-books.ts';
import { reconcile } from '../fire/work-reconciliations.ts';
import { sendWebhooks } from '../fire/work-webhooks.ts';
import type { Outcome, Scenario } from '../scenario.ts';

type Fire = [row: number, title: string, unit: string, full: number, victim: Victim, work: Work];

/** Who is struck at random, again and again, while what is done: the work says what must be true afterwards. */
const FIRES: readonly Fire[] = [
  [4, 'kill -9 of the service under load', 'kills', 200, SERVICE, moveAccountsOneByOne],
  [4, 'immediate stop of the database under load', 'stops', 200, DATABASE, moveAccountsOneByOne],
  [22, 'a synchronous standby is promoted under load', 'promotions', 30, PRIMARY, moveAccountsOneByOne],
  [25, 'kill -9 of the service while it moves books', 'kills', 100, SERVICE, moveBooksOneByOne],
  [25, 'immediate stop of the database while books are moved', 'stops', 50, DATABASE, moveBooksOneByOne],
  [30, 'kill -9 of the service while it reconciles', 'kills', 50, SERVICE, reconcile],
  [35, 'kill -9 of the service while it sends webhooks, most to bad receivers', 'kills', 20, SERVICE, sendWebhooks],
];

const PEACE_MS = { from: 50, to: 550 };

export const UNDER_FIRE: readonly Scenario[] = FIRES.map(([row, title, unit, full, victim, { variables, begin }]) => ({
  ...{ row, title, unit, full, short: 1 },
  async run(strikes: number, random: Random): Promise<Outcome> {
    await using stack = new AsyncDisposableStack();
    const { world, strike, finish } = await victim(stack, random.fork('victims'), variables);
    const begun = await begin({ world, stack, random: random.fork('work'), strikes });
    await strikeAtRandom(random.fork('strikes'), {
      ...{ times: strikes, peaceMs: PEACE_MS },
      async strike() {
        await begun.untilStrike?.();
        await strike();
        await begun.afterStrike?.();
      },
    });
    await finish?.();
    const { figures, claims } = await begun.judge();
    return { figures: `${strikes} ${unit}; ${figures}`, claims };
  },
}));
