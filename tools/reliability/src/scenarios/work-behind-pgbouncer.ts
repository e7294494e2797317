import { setTimeout as delay } from 'node:timers/promises';
import {
  hasPgBouncer,
  type Random,
  startCrashablePostgres,
  startFakeVendor,
  startPgBouncer,
  startServiceProcess,
} from '@causeway/testing';
import { judgeMoves } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { type ServiceWorld, serviceWorld, variablesOf } from '../rig/service-world.ts';
import { none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 16;
const INSTANCES = 1;
const SIZE = { max_client_conn: '1000', default_pool_size: '20' };
/** Start-up parameters that PgBouncer does not know: accepted, but ignored. */
const UNKNOWN = 'extra_float_digits,options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
/** The ways in which operators set it up. */
const SETTINGS: Record<string, Record<string, string>> = {
  'transactions, unknown parameters ignored': { pool_mode: 'transaction', ignore_startup_parameters: UNKNOWN },
  'transactions, as it comes': { pool_mode: 'transaction' },
  'sessions, unknown parameters ignored': { pool_mode: 'session', ignore_startup_parameters: UNKNOWN },
};
/** What the message of a refused start must name, so that an operator knows what to change. */
const NAMES_IT = /pgbouncer|pooler|pooling|transaction mode/i;

/** Behind PgBouncer the service works, or says at start-up why not; in session mode it works. */
export const workBehindPgBouncer: Scenario = {
  row: 17,
  title: 'behind PgBouncer, with transactions and with sessions',
  unit: 'seconds of load',
  full: 30,
  async run(seconds, random): Promise<Outcome> {
    if (!hasPgBouncer) {
      const found = 'there is no pgbouncer to run: Debian has it';
      return { figures: found, claims: [{ what: 'the row was run', holds: false, found }] };
    }
    const outcomes: Outcome[] = [];
    for (const [name, settings] of Object.entries(SETTINGS)) {
      const tried = await tryBehind({ settings, seconds, random: random.fork(name) });
      outcomes.push({ ...tried, figures: `${name}: ${tried.figures}` });
    }
    const figures = outcomes.map((one) => one.figures).join('; ');
    return { figures, claims: outcomes.flatMap(({ claims }) => claims) };
  },
};

interface Trial {
  settings: Record<string, string>;
  seconds: number;
  random: Random;
}

async function tryBehind({ settings, seconds, random }: Trial): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startCrashablePostgres();
  stack.defer(() => postgres.stop());
  const bouncer = await startPgBouncer(postgres.url, { ...SIZE, ...settings });
  stack.defer(() => bouncer.stop());
  const vendor = await startFakeVendor();
  stack.defer(() => vendor.close());
  const variables = variablesOf({ vendors: { VENDOR: vendor.url } });
  const instances: ServiceWorld['instances'][number][] = [];
  try {
    while (instances.length < INSTANCES) {
      const service = await startServiceProcess({ DATABASE_URL: bouncer.url, ...variables });
      stack.defer(() => service.kill());
      instances.push({ process: service });
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const refused = message.replaceAll(/\s+/g, ' ');
    return {
      figures: `the start refuses: ${refused}`,
      claims: [
        { what: 'a start that is refused says why', holds: NAMES_IT.test(message), found: refused },
        none('a start refused although sessions are kept', settings.pool_mode === 'session' ? [refused] : []),
      ],
    };
  }
  const parts = { instances, vendor, staffApiKey: variables.STAFF_API_KEY, databaseUrl: () => postgres.url };
  return await moveBehind(serviceWorld(stack, parts), seconds, random);
}

async function moveBehind(world: ServiceWorld, seconds: number, random: Random): Promise<Outcome> {
  let supplier: Awaited<ReturnType<ServiceWorld['createSupplier']>>;
  try {
    supplier = await world.createSupplier();
  } catch (error) {
    return { figures: 'ready, and no use', claims: [none('a call of the service team that fails', [String(error)])] };
  }
  const givenUp = new AbortController();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, signal: givenUp.signal });
  await delay(seconds * 1_000);
  const finishing = movers.finish();
  await Promise.race([finishing, delay(seconds * 2_000 + 10_000, undefined, { ref: false })]);
  givenUp.abort();
  await finishing;
  const { ledger } = movers;
  const { lost, doubled, claims } = await judgeMoves(world, supplier, ledger);
  const doubts = Object.entries(ledger.doubts).map(([name, times]) => `${times} x ${name}`);
  return {
    figures: `${ledger.accounts.size} accounts, ${ledger.sent} requests, ${ledger.odd.length} odd answers; ${lost} lost, ${doubled} doubled`,
    claims: [...claims, none('requests in doubt though nothing was struck', doubts)],
  };
}
