import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresServer, type Random } from '@causeway/testing';
import { doubtsOf, judgeMoves } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { OLDER_VERSIONS, programsOf } from '../rig/server-programs.ts';
import { startOperatorsWorld } from '../rig/start-operators-world.ts';
import { exactly, none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 8;
const INSTANCES = 2;

/** The whole journey on each supported version of PostgreSQL, the service as a role that owns nothing. */
export const workOnEveryVersion: Scenario = {
  row: 21,
  title: 'PostgreSQL 15, 16, 17 and 18',
  unit: 'seconds of load on each',
  full: 20,
  async run(seconds, random): Promise<Outcome> {
    const outcomes: Outcome[] = [];
    for (const version of [...OLDER_VERSIONS, undefined]) {
      const programs = version === undefined ? undefined : await programsOf(version);
      outcomes.push(await moveOn(programs, seconds, random.fork(String(version))));
    }
    const figures = outcomes.map((one) => one.figures).join('; ');
    return { figures, claims: outcomes.flatMap(({ claims }) => claims) };
  },
};

/** @param programs of the server; by default the service's own */
export async function moveOn(programs: string | undefined, seconds: number, random: Random): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const server = await createPostgresServer(programs === undefined ? {} : { programs });
  stack.defer(() => server.remove());
  await server.start();
  const [{ server_version = '' } = {}] = await server.query<{ server_version: string }>('SHOW server_version');
  await using world = await startOperatorsWorld({ server: () => server, instances: INSTANCES });
  const supplier = await world.createSupplier();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, keyedShare: 0.1 });
  await delay(seconds * 1_000);
  await movers.finish();
  const { ledger } = movers;
  const { lost, doubled, claims } = await judgeMoves(world, supplier, ledger);
  return {
    figures: `${server_version}: ${ledger.accounts.size} accounts, ${ledger.sent} requests, in doubt: ${doubtsOf(ledger) || 'none'}; ${lost} lost, ${doubled} doubled`,
    claims: [
      ...claims,
      none('a request with a key answered otherwise than the first with it', ledger.unlike),
      exactly('accounts were moved', String(ledger.accounts.size > 0), 'true'),
    ],
  };
}
