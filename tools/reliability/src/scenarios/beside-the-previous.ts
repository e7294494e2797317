import { setTimeout as delay } from 'node:timers/promises';
import { createPostgresServer, type Random, type ServiceProcess } from '@causeway/testing';
import { installPreviousVersion } from '../rig/install-previous-version.ts';
import { doubtsOf, judgeMoves } from '../rig/judge-moves.ts';
import { moveAccounts } from '../rig/move-accounts.ts';
import { startOperatorsWorld } from '../rig/start-operators-world.ts';
import { exactly, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 6;

/** An upgrade and a rollback without a pause: both versions on one database, migrated by the newer one. */
export const besideThePrevious: Scenario = {
  row: 24,
  title: 'the previous version beside this one: an upgrade and a rollback under load',
  unit: 'seconds of load in each of five phases',
  full: 20,
  async run(seconds, random): Promise<Outcome> {
    const previous = await installPreviousVersion();
    try {
      const outcome = await upgradeAndRollBack(previous.program, seconds, random);
      return { ...outcome, figures: `before: ${previous.commit}; ${outcome.figures}` };
    } finally {
      await previous.remove();
    }
  },
};

/** @param previous the command that runs the previous version */
export async function upgradeAndRollBack(
  previous: readonly string[],
  seconds: number,
  random: Random,
): Promise<Outcome> {
  await using stack = new AsyncDisposableStack();
  const server = await createPostgresServer();
  stack.defer(() => server.remove());
  await server.start();
  await using world = await startOperatorsWorld({ server: () => server, instances: 0 });
  const old = await world.add(previous);
  const supplier = await world.createSupplier();
  const migrations = () => world.query('SELECT FROM _prisma_migrations').then(({ length }) => length);
  const before = await migrations();
  const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, keyedShare: 0.1 });
  const codes: (number | null)[] = [];
  const stop = async (service: ServiceProcess) => {
    codes.push(await service.terminate());
    const index = world.instances.findIndex(({ process }) => process === service);
    world.instances.splice(index, 1);
  };
  const steps: (() => Promise<unknown>)[] = [
    async () => undefined,
    // The new version migrates as it starts; the old one serves on.
    () => world.add(),
    () => stop(old),
    () => world.add(previous),
    () => stop((world.instances[0] as { process: ServiceProcess }).process),
  ];
  for (const step of steps) {
    await step();
    await delay(seconds * 1_000);
  }
  const after = await migrations();
  await movers.finish();
  const { ledger } = movers;
  const { lost, doubled, claims } = await judgeMoves(world, supplier, ledger);
  return {
    figures: `${before} migrations before, ${after} after; ${ledger.accounts.size} accounts, ${ledger.sent} requests, in doubt: ${doubtsOf(ledger) || 'none'}; ${lost} lost, ${doubled} doubled`,
    claims: [...claims, exactly('both stopped as they should', JSON.stringify(codes), '[0,0]')],
  };
}
