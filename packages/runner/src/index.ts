export { PACE, type Pace } from './pace.ts';
export { type Runner, type RunnerOptions, type RunnerReport, startRunner } from './start-runner.ts';
