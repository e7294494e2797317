import { type FaultyDoor, type Random, startFaultyDoor } from '@causeway/testing';
import { type Command, startCommand } from './run-command.ts';
import type { World } from './start-world.ts';

/** Of the requests. */
const FAULTS = 0.05;
const SERVICE_KILLED_EVERY = 4;

/** A door to the service that answers some requests with 429 or 503, or cuts them, before the service has them or after. */
export function startUnluckyDoor(world: World, random: Random): Promise<FaultyDoor> {
  return startFaultyDoor(
    () => urlOf(world),
    ({ path: called }) => {
      if (called.includes('graphql') || !random.chance(FAULTS)) return undefined;
      return random.pick([{ status: 429 }, { status: 503, retryAfterS: 0 }, 'cut', 'cut after'] as const);
    },
  );
}

/** A service that is being started again has no address. */
export function urlOf(world: World): string {
  const [instance] = world.instances;
  return instance === undefined || instance.process.exited ? 'http://127.0.0.1:1' : instance.process.url;
}

/**
 * Starts a command again and again, and kills it with -9 when so many more requests have come: whatever the speed of the
 * machine. Now and then the service is killed with it. How many of the kills met a command that had not ended.
 */
export async function killAtRandom(
  { world, door, random }: { world: World; door: FaultyDoor; random: Random },
  { kills, requests, command }: { kills: number; requests: { from: number; to: number }; command: Command },
): Promise<number> {
  let met = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const strikesAt = door.requests + random.integer(requests.from, requests.to);
    const running = startCommand(command);
    const isReached = await running.lastsUntil(() => door.requests >= strikesAt);
    const restarting = kill % SERVICE_KILLED_EVERY === 0 ? world.instances[0]?.process.restart() : undefined;
    if (isReached) met += 1;
    await running.kill();
    await restarting;
  }
  return met;
}
