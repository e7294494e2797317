import type { Turn, TurnResult } from '../load/turn.ts';
import { cpuSeconds, familyCpuSeconds } from './processes.ts';
import { IMPORT_SUPPLIER, OPERATIONS_TEAM } from './seed.ts';
import type { Target, World } from './world.ts';

/** What a part of the bench specifies for a turn; the rest follows from the target. */
export type TurnRequest = Pick<Turn, 'scenario' | 'connections' | 'warmUpMs' | 'measureMs' | 'arrivalsPerSecond'>;

/** A turn's result, and what it cost each side. */
export interface MeasuredTurn extends TurnResult {
  cores: { system: number; postgres: number; generator: number };
  /** Milliseconds of CPU time per iteration: hardly affected by other work on the machine. */
  cpuMs: { system: number; postgres: number };
}

/** YYYY-MM-DD, the same for a whole run. */
export const TODAY = new Date().toISOString().slice(0, 10);

let turns = 0;

/** Account numbers that no earlier turn used. */
export function freshPrefix(): string {
  turns += 1;
  return `B${turns}-`;
}

/**
 * Runs one turn on a target. Wrong answers are fatal: a fast wrong answer is worthless. There is no checkpoint before
 * it: after one, PostgreSQL writes every page in full, so all systems would look alike and large tables slow.
 */
export async function measureTurn(world: World, target: Target, request: TurnRequest): Promise<MeasuredTurn> {
  const turn: Turn = {
    ...request,
    prefix: freshPrefix(),
    url: target.system.url,
    token: await world.token(),
    importSupplier: IMPORT_SUPPLIER,
    operationsTeam: OPERATIONS_TEAM,
    today: TODAY,
  };
  const spentSince = countCpu(world, target);
  const startedAt = performance.now();
  const result = await world.generator.run(turn).catch((cause: unknown) => {
    throw new Error(`The turn of the ${target.name} failed (${turn.scenario})`, { cause });
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const spent = spentSince();
  if (result.wrongAnswers > 0) {
    const examples = result.firstWrongAnswers.join('\n  ');
    throw new Error(`${result.wrongAnswers} wrong answers of the ${target.name} (${turn.scenario}):\n  ${examples}`);
  }
  if (result.completed === 0 || result.perSecond === 0)
    throw new Error(`The ${target.name} answered nothing (${turn.scenario})`);
  target.ledger.add(turn.scenario, result.completed, result.pence);
  const { system, postgres } = spent;
  return {
    ...result,
    cores: { system: system / seconds, postgres: postgres / seconds, generator: result.generatorCpuSeconds / seconds },
    cpuMs: { system: (system * 1_000) / result.completed, postgres: (postgres * 1_000) / result.completed },
  };
}

/** CPU seconds that a system and PostgreSQL use from now on, until they are asked for. */
export function countCpu({ postgres }: World, { system }: Target): () => { system: number; postgres: number } {
  const used = () => [cpuSeconds(system.pid), familyCpuSeconds(postgres.pid)] as const;
  const before = used();
  return () => {
    const after = used();
    return { system: after[0] - before[0], postgres: after[1] - before[1] };
  };
}
