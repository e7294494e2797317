import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@causeway/testing';
import { createStagingLoad } from '../rig/staging-load.ts';
import { LIMITS_OF_PRODUCTION, startWorld, type World } from '../rig/start-world.ts';
import { dependingOnSpeed, exactly, none, type Outcome, type Scenario, within } from '../scenario.ts';

const SHARE_OF_CAPACITY = 0.8;
const ANSWER_WITHIN_MS = 250;
/** Growth of resident memory; less is noise from the garbage collector. */
const FLAT_MB_PER_MINUTE = 2;
const SAMPLE_EVERY_MS = 1_000;
const WARMING_MS = 10_000;
/** Part of the load's time: sustained throughput while tables grow, with checkpoints and vacuums. */
const MEASURED_SHARE = 0.2;

/** A migration's load for minutes: neither latencies nor memory may grow. */
export const runForLong: Scenario = {
  row: 8,
  title: '80 % of capacity',
  alone: true,
  unit: 'seconds',
  full: 600,
  async run(seconds, random): Promise<Outcome> {
    await using world = await startWorld({ variables: LIMITS_OF_PRODUCTION, dropLog: true });
    const supplier = await world.createSupplier();
    using load = createStagingLoad(world, supplier, random);
    await load.measureCapacity(WARMING_MS);
    const capacity = await load.measureCapacity(seconds * MEASURED_SHARE * 1_000);
    const over = new AbortController();
    const sampling = sampleMemory(world, over.signal);
    const { calls, accepted, refused, other, lateness } = await load.offer({
      ratePerSecond: SHARE_OF_CAPACITY * capacity,
      durationMs: seconds * 1_000,
    });
    over.abort();
    const memory = await sampling;
    const slope = slopePerMinute(memory.slice(Math.floor(memory.length / 3)));
    const [p50, p99, lateMs] = [percentile(accepted, 0.5), percentile(accepted, 0.99), percentile(lateness, 0.99)];
    return {
      figures: `${Math.round(calls / seconds)}/s of ${Math.round(capacity)}/s (kept up for ${Math.round(seconds * MEASURED_SHARE)} s) for ${seconds} s, p50 ${p50.toFixed(1)} ms, p99 ${Math.round(p99)} ms, memory ${memory.at(-1)?.megabytes.toFixed(0)} MB, slope ${slope.toFixed(2)} MB a minute, the generator's own lateness p99 ${lateMs.toFixed(1)} ms`,
      claims: [
        exactly('accounts stored as they were sent, of those acknowledged', await load.countWhole(), load.acknowledged),
        ...dependingOnSpeed(none({ 'an answer other than 201': [...refused, ...other] })),
        within('p99', p99, ANSWER_WITHIN_MS),
        {
          what: `resident memory grows by at most ${FLAT_MB_PER_MINUTE} MB a minute after the first third`,
          holds: slope <= FLAT_MB_PER_MINUTE,
          found: `${slope.toFixed(2)} MB a minute`,
          dependsOnSpeed: true,
        },
      ],
    };
  },
};

interface Sample {
  minute: number;
  megabytes: number;
}

async function sampleMemory(world: World, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  while (!signal.aborted) {
    const metrics = await (await fetch(`${world.url()}/metrics`)).text();
    const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
    samples.push({ minute: (performance.now() - startedAt) / 60_000, megabytes: bytes / 1e6 });
    await delay(SAMPLE_EVERY_MS);
  }
  return samples;
}

/** The slope of the least-squares line through the samples. */
function slopePerMinute(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minute = mean(samples.map((sample) => sample.minute));
  const megabytes = mean(samples.map((sample) => sample.megabytes));
  const both = samples.reduce((sum, one) => sum + (one.minute - minute) * (one.megabytes - megabytes), 0);
  const squared = samples.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0);
  return squared === 0 ? 0 : both / squared;
}
