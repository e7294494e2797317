import { type Effort, warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { type Finding, judge, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import type { World } from '../world/world.ts';

const CONNECTIONS = 64;
const SHARE_OF_PEAK = 0.5;

/** Work of the service's lanes that the calls are measured beside. */
interface Beside {
  /** As in "while ... ". */
  what: string;
  /** The most that the calls' p99 may be of that without the work. */
  mustReach: number;
  aim?: number;
  /** Starts the work; what it returns waits for its end, once the turn is over. */
  start(): Promise<() => Promise<void>>;
}

/** The journey's calls at half of their peak, in turns with and without other work. */
export async function measureLiveCalls(
  world: World,
  effort: Effort,
  { what, mustReach, aim, start }: Beside,
): Promise<{ finding: Finding; intro: string; details: string }> {
  const { service } = world;
  const work = { scenario: 'journey', connections: CONNECTIONS, ...effort } as const;
  await warmUp(world, [service], work);
  const peak = await measureTurn(world, service, work);
  const arrivalsPerSecond = peak.perSecond * SHARE_OF_PEAK;
  const turn = () => measureTurn(world, service, { ...work, arrivalsPerSecond });
  const alone: MeasuredTurn[] = [];
  const beside: MeasuredTurn[] = [];
  while (beside.length < effort.rounds) {
    alone.push(await turn());
    const end = await start();
    beside.push(await turn());
    await end();
    progress(`p99 of a call: ${p99Of(alone.slice(-1))} ms, while ${what} ${p99Of(beside.slice(-1))} ms`);
  }
  await service.ledger.verify();
  const ratios = beside.map(({ calls }, round) => calls.p99 / (alone[round]?.calls.p99 ?? Number.NaN));
  const goal = { value: medianOf(ratios), direction: 'at most', mustReach, ...(aim !== undefined && { aim }) } as const;
  const reached = `${shownSpread(ratios)}: ${p99Of(beside)} / ${p99Of(alone)} ms`;
  return {
    finding: judge(`A live call's p99 at half load while ${what}, of that without`, goal, reached),
    intro:
      `Journeys arrive by the clock at half of the ${shown(peak.perSecond)} accounts a second that ${CONNECTIONS} ` +
      'connections had reached.',
    details: describe(what, alone, beside),
  };
}

const p99Of = (turns: MeasuredTurn[]) => shown(medianOf(turns.map(({ calls }) => calls.p99)));

function describe(what: string, alone: MeasuredTurn[], beside: MeasuredTurn[]): string {
  const row = (name: string, read: (turn: MeasuredTurn) => number) => [
    name,
    shownSpread(alone.map(read)),
    shownSpread(beside.map(read)),
  ];
  const names = Object.keys(alone[0]?.steps ?? {});
  return table(
    ['', 'alone', `while ${what}`],
    [
      row('accounts a second', ({ perSecond }) => perSecond),
      row('all calls: p50, ms', ({ calls }) => calls.p50),
      row('all calls: p99, ms', ({ calls }) => calls.p99),
      ...names.map((name) => row(`${name}: p99, ms`, ({ steps }) => steps[name]?.p99 ?? Number.NaN)),
      row('journey, from its arrival: p50, ms', ({ latency }) => latency.p50),
      row('journey, from its arrival: p99, ms', ({ latency }) => latency.p99),
    ],
  );
}
