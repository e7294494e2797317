import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '@causeway/testing';
import { createBook, penceOf } from './book.ts';
import { type Answer, type Connection, openConnection } from './connection.ts';
import { type Iteration, SCENARIOS } from './scenarios.ts';
import { latencyOf, type Turn, type TurnResult } from './turn.ts';

/** Every answer's status is checked; in every 16th iteration the contents too. */
const THOROUGH_EVERY = 16;
const EXAMPLES = 5;
const MAX_EXAMPLE_LENGTH = 400;

/** The data that a turn collects while it runs. */
interface Tally {
  begun: number;
  completed: number;
  pence: number;
  wrongAnswers: number;
  firstWrongAnswers: string[];
  measured: number[];
  steps: Map<string, number[]>;
}

/**
 * Loads the system for the warm-up and the measured time, finishes what was started, and returns the result. A step or
 * an iteration counts if it ends within the measured time.
 */
export async function runTurn(turn: Turn): Promise<TurnResult> {
  const bookOf = createBook(turn);
  const connections = await Promise.all(
    Array.from({ length: turn.connections }, (_, index) => openConnection(turn.url, turn.token, createRandom(index))),
  );
  const tally: Tally = {
    begun: 0,
    completed: 0,
    pence: 0,
    wrongAnswers: 0,
    firstWrongAnswers: [],
    measured: [],
    steps: new Map(),
  };
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const measuredFrom = startedAt + turn.warmUpMs;
  const endsAt = measuredFrom + turn.measureMs;

  async function work(connection: Connection): Promise<void> {
    for (;;) {
      const index = tally.begun;
      const arrival = startedAt + (turn.arrivalsPerSecond === undefined ? 0 : (index * 1000) / turn.arrivalsPerSecond);
      if (Math.max(arrival, performance.now()) >= endsAt) return;
      tally.begun += 1;
      const begunAt = await waitFor(arrival, turn);
      await SCENARIOS[turn.scenario](iterationOf(index, connection));
      const now = performance.now();
      tally.completed += 1;
      tally.pence += penceOf(index);
      if (now >= measuredFrom && now < endsAt) tally.measured.push(now - begunAt);
    }
  }

  function iterationOf(index: number, connection: Connection): Iteration {
    const timed = async (step: string, call: Promise<Answer>) => {
      const sentAt = performance.now();
      const answer = await call;
      const now = performance.now();
      if (now >= measuredFrom && now < endsAt) timesOf(tally, step).push(now - sentAt);
      return answer;
    };
    return {
      index,
      number: `${turn.prefix}${index}`,
      booked: bookOf(index),
      turn,
      thorough: index % THOROUGH_EVERY === 0,
      post: (step, path, body) => timed(step, connection.post(path, body)),
      get: (step, path) => timed(step, connection.get(path)),
      wrong: (step, { status, body }) => noteWrong(tally, `${step} ${turn.prefix}${index}: ${status} ${body}`),
    };
  }

  await Promise.all(connections.map(work));
  for (const connection of connections) connection.close();
  const { user, system } = process.cpuUsage(cpu);
  return {
    completed: tally.completed,
    pence: tally.pence,
    perSecond: (tally.measured.length * 1000) / turn.measureMs,
    latency: latencyOf(tally.measured),
    calls: latencyOf([...tally.steps.values()].flat()),
    steps: Object.fromEntries([...tally.steps].map(([step, times]) => [step, latencyOf(times)])),
    wrongAnswers: tally.wrongAnswers,
    firstWrongAnswers: tally.firstWrongAnswers,
    generatorCpuSeconds: (user + system) / 1e6,
  };
}

/**
 * Waits until an iteration arrives and returns the start of its measured time: its arrival if every connection was busy
 * then, otherwise now, because a late timer is the generator's fault.
 */
async function waitFor(arrival: number, { arrivalsPerSecond }: Turn): Promise<number> {
  const now = performance.now();
  if (arrivalsPerSecond === undefined) return now;
  if (arrival <= now) return arrival;
  await delay(arrival - now);
  return performance.now();
}

function timesOf({ steps }: Tally, step: string): number[] {
  const known = steps.get(step);
  if (known !== undefined) return known;
  const times: number[] = [];
  steps.set(step, times);
  return times;
}

function noteWrong(tally: Tally, text: string): void {
  tally.wrongAnswers += 1;
  if (tally.firstWrongAnswers.length < EXAMPLES) tally.firstWrongAnswers.push(text.slice(0, MAX_EXAMPLE_LENGTH));
}
