import type { Random } from '@causeway/testing';
import type { Instance, World } from './start-world.ts';

/** Who strikes, and how often it may. */
export interface Striker {
  strike(): Promise<void>;
  /** Resolves when everything that it struck serves again. */
  finish(): Promise<void>;
}

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

/** An immediate stop, which is a crash, and a start that recovers. */
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

/** By default recovery begins with a sync of all files one by one, which takes half of its time. */
export const FAST_RECOVERY = { recovery_init_sync_method: 'syncfs' };
