/** The repeatable operations on a system under load. */
export type ScenarioName = 'journey' | 'validate' | 'stage';

/** One period of load on one system. */
export interface Turn {
  scenario: ScenarioName;
  url: string;
  token: string;
  importSupplier: string;
  operationsTeam: string;
  /** YYYY-MM-DD. */
  today: string;
  /** The n-th iteration is about the account `${prefix}${n}`. */
  prefix: string;
  connections: number;
  warmUpMs: number;
  measureMs: number;
  /**
   * Iterations per second that arrive independently of earlier ones (open loop); absent: each connection waits for its
   * own.
   */
  arrivalsPerSecond?: number;
}

/** Milliseconds. */
export interface Latency {
  count: number;
  p50: number;
  p99: number;
  max: number;
}

/** What came of a turn. */
export interface TurnResult {
  /** All iterations, including those of the warm-up and the last ones: the rows must match this number. */
  completed: number;
  /** What the transactions of these accounts add up to. */
  pence: number;
  perSecond: number;
  /** The latencies of whole iterations; from their arrival in an open loop. */
  latency: Latency;
  /** The latencies of all calls. */
  calls: Latency;
  /** The latencies of each call of an iteration, by its name. */
  steps: Record<string, Latency>;
  wrongAnswers: number;
  firstWrongAnswers: string[];
  generatorCpuSeconds: number;
}

/** The latencies of a list of milliseconds. */
export function latencyOf(milliseconds: number[]): Latency {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
