import { setTimeout as delay } from 'node:timers/promises';
import { type Random, startCrashablePostgres, startFakeVendor, startServiceProcess } from '@causeway/testing';
import { judgeMoves } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { type ServiceWorld, serviceWorld, variablesOf } from '../rig/service-world.ts';
import { pgBouncerVersion, startPgBouncer } from '../rig/start-pgbouncer.ts';
import { type Claim, none, type Outcome, type Scenario } from '../scenario.ts';

/** More than there are sessions behind it: transactions of one connection go to many. */
const CLIENTS = 40;
const INSTANCES = 2;
/** What a refused start has to name for an operator to know what to change. */
const NAMES_IT = /pgbouncer|pooler|pooling|transaction mode/i;

/** Behind PgBouncer in transaction mode, set up in two ways, the service works, or says at its start why it does not. */
export const workBehindPgBouncer: Scenario = {
  row: 17,
  title: 'behind PgBouncer in transaction mode',
  unit: 'seconds of load',
  full: 30,
  async run(seconds, random): Promise<Outcome> {
    const version = pgBouncerVersion();
    if (version === undefined) {
      const found = 'there is no pgbouncer to run: Debian has it';
      return { figures: found, claims: [{ what: 'the row was run', holds: false, found, dependsOnSpeed: true }] };
    }
    const claims: Claim[] = [];
    const figures: string[] = [];
    for (const ignoresUnknownParameters of [true, false]) {
      const tried = await tryBehind({ ignoresUnknownParameters, seconds, random });
      claims.push(...tried.claims);
      figures.push(`${ignoresUnknownParameters ? 'unknown parameters ignored' : 'as it comes'}: ${tried.figures}`);
    }
    return { figures: `PgBouncer ${version}; ${figures.join('; ')}`, claims };
  },
};

interface Trial {
  ignoresUnknownParameters: boolean;
  seconds: number;
  random: Random;
}

async function tryBehind({ ignoresUnknownParameters, seconds, random }: Trial): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startCrashablePostgres();
  stack.defer(() => postgres.stop());
  const bouncer = stack.use(await startPgBouncer({ url: postgres.url, ignoresUnknownParameters }));
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
      claims: [{ what: 'a start that is refused says why', holds: NAMES_IT.test(message), found: refused }],
    };
  }
  const parts = { instances, vendor, staffApiKey: variables.STAFF_API_KEY, databaseUrl: () => postgres.url };
  return moveBehind(serviceWorld(stack, parts), seconds, random);
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
