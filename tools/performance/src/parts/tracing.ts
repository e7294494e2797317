import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { judge } from '../report/finding.ts';
import { shown, shownSpread } from '../report/statistics.ts';
import { freshPrefix, measureTurn } from '../world/measure-turn.ts';
import { cpuSeconds } from '../world/processes.ts';
import type { System } from '../world/system.ts';
import type { Part } from './part.ts';

const SAMPLED = '0.01';
/** The difference is smaller than that of two rounds: more of them than elsewhere. */
const ROUNDS_MORE = 2;
/** The two have code to compile. */
const WARM_UP_MS = 10_000;

/**
 * An instance that traces a hundredth of its requests beside one that traces none, on one database and under one load,
 * each with half of the connections: what else happens on the machine then happens to both.
 */
export const tracing: Part = {
  name: 'tracing',
  heading: 'Traces of one request in a hundred',
  async measure(world, { effort }) {
    const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    await once(collector.listen(0, '127.0.0.1'), 'listening');
    const variables = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: SAMPLED,
    };
    const without = await world.startTarget('without traces', { database: world.service });
    const traced = await world.startTarget('with traces', { database: world.service, variables });
    const both = { ...without, name: 'pair', instances: [...without.instances, ...traced.instances] };
    const [plain, tracer] = both.instances as [System, System];
    const work = { scenario: 'journey', connections: 16, ...effort } as const;
    await warmUp(world, [both], { ...work, warmUpMs: WARM_UP_MS });
    const ratios: number[] = [];
    const seen = [await spentByEach(plain, tracer)];
    for (let round = 0; round < effort.rounds * ROUNDS_MORE; round += 1) {
      await measureTurn(world, both, { ...work, prefix: freshPrefix() });
      seen.push(await spentByEach(plain, tracer));
      ratios.push(ratioOf(seen.at(-2) as Pair, seen.at(-1) as Pair));
      progress(`${shown(ratios.at(-1) ?? Number.NaN)} of the CPU without traces`);
    }
    await world.service.ledger.verify();
    await Promise.all(both.instances.map((instance) => instance.stop()));
    collector.close().closeAllConnections();
    const value = ratioOf(seen[0] as Pair, seen.at(-1) as Pair);
    const goal = { value, direction: 'at most', mustReach: 1.03 } as const;
    const details = [
      `Over all rounds ${value.toFixed(3)} of the CPU of a request; round by round ${shownSpread(ratios)}.`,
    ];
    return { findings: [judge('Traces of 1 %: CPU of a request, of that without', goal, value.toFixed(3))], details };
  },
};

interface Spent {
  cpuMs: number;
  requests: number;
}

async function spentBy({ pid, url }: System): Promise<Spent> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counts = [...metrics.matchAll(/^causeway_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  return { cpuMs: cpuSeconds(pid) * 1_000, requests: counts.reduce((sum, count) => sum + count, 0) };
}

/** Without traces, and with them. */
type Pair = readonly [Spent, Spent];

const spentByEach = async (plain: System, tracer: System): Promise<Pair> => [
  await spentBy(plain),
  await spentBy(tracer),
];

function ratioOf(before: Pair, after: Pair): number {
  const cost = (one: 0 | 1) => (after[one].cpuMs - before[one].cpuMs) / (after[one].requests - before[one].requests);
  return cost(1) / cost(0);
}
