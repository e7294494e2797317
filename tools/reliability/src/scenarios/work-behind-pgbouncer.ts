import { setTimeout as delay } from 'node:timers/promises';
import {
  hasPgBouncer,
  KEEP_STATEMENTS,
  LOSE_STATEMENTS,
  PGBOUNCER_VERSION,
  type Random,
  startCrashablePostgres,
  startPgBouncer,
} from '@causeway/testing';
import pg from 'pg';
import { moveAccounts } from '../rig/move-accounts.ts';
import { openWorld, type ServiceWorld } from '../rig/service-world.ts';
import { exactly, none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 32;
const INSTANCES = 2;
/** Fewer than one instance has. */
const FEW = { max_client_conn: '1000', default_pool_size: '6' };
const TRANSACTIONS = { ...FEW, pool_mode: 'transaction' };
/** The ways in which operators set it up. */
const SETTINGS: Record<string, Record<string, string>> = {
  ...(KEEP_STATEMENTS && { 'transactions, statements kept': { ...TRANSACTIONS, ...KEEP_STATEMENTS } }),
  'transactions, statements lost': { ...TRANSACTIONS, ...LOSE_STATEMENTS },
  sessions: { ...FEW, pool_mode: 'session', default_pool_size: '60' },
};

/** Behind PgBouncer the service works; a start that is refused says what to do, and doing it is enough. */
export const workBehindPgBouncer: Scenario = {
  row: 17,
  title: 'behind PgBouncer, with transactions and with sessions',
  unit: 'seconds of load',
  full: 30,
  short: 1,
  async run(seconds, random): Promise<Outcome> {
    if (!hasPgBouncer) throw new Error('there is no pgbouncer to run: Debian has it');
    const outcomes: Outcome[] = [];
    for (const [name, settings] of Object.entries(SETTINGS)) {
      const tried = await tryBehind({ settings, seconds, random: random.fork(name) });
      const claims = tried.claims.map((claim) => ({ ...claim, what: `${name}: ${claim.what}` }));
      outcomes.push({ claims, figures: `${name}: ${tried.figures}` });
    }
    const figures = `PgBouncer ${PGBOUNCER_VERSION}; ${outcomes.map((one) => one.figures).join('; ')}`;
    return { figures, claims: outcomes.flatMap(({ claims }) => claims) };
  },
};

interface Trial {
  settings: Record<string, string>;
  seconds: number;
  random: Random;
}

async function tryBehind({ settings, seconds, random }: Trial): Promise<Outcome> {
  const refusals: string[] = [];
  await using world = await openWorld({}, async ({ stack, start }) => {
    const postgres = await startCrashablePostgres();
    stack.defer(() => postgres.stop());
    const bouncer = await startPgBouncer(postgres.url, settings);
    stack.defer(() => bouncer.stop());
    const owner = new pg.Client({ connectionString: postgres.url });
    await owner.connect();
    const instances: ServiceWorld['instances'][number][] = [];
    while (instances.length < INSTANCES && refusals.length < 2) {
      try {
        instances.push({ process: await start({ DATABASE_URL: bouncer.url, DATABASE_OWNER_URL: postgres.url }) });
      } catch (error) {
        refusals.push(String(error));
        for (const [statement] of String(error).matchAll(/ALTER ROLE [^;]*;/g)) await owner.query(statement);
        await bouncer.command('RECONNECT');
      }
    }
    await owner.end();
    return { instances, databaseUrl: () => postgres.url };
  });
  const told = exactly('starts refused before the role had its settings', refusals.length, isLent(settings) ? 1 : 0);
  if (world.instances.length < INSTANCES) return { figures: refusals.join('; '), claims: [told] };
  const moved = await moveBehind(world, seconds, random);
  return { ...moved, claims: [told, ...moved.claims] };
}

const isLent = ({ pool_mode }: Record<string, string>): boolean => pool_mode === 'transaction';

async function moveBehind(world: ServiceWorld, seconds: number, random: Random): Promise<Outcome> {
  const supplier = await world.createSupplier().catch(String);
  if (typeof supplier === 'string') {
    return { figures: 'ready, and no use', claims: none({ 'a call of the service team that fails': [supplier] }) };
  }
  const givenUp = new AbortController();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, signal: givenUp.signal });
  await delay(seconds * 1_000);
  const finishing = movers.finish();
  await Promise.race([finishing, delay(seconds * 2_000 + 10_000, undefined, { ref: false })]);
  givenUp.abort();
  const { lost, doubled, claims } = await movers.judge();
  const { accounts, sent, odd, doubts } = movers.ledger;
  return {
    figures: `${accounts.size} accounts, ${sent} requests, ${odd.length} odd answers; ${lost} lost, ${doubled} doubled`,
    claims: [...claims, ...none({ 'requests in doubt though nothing was struck': Object.entries(doubts) })],
  };
}
