export { type Runner, type RunnerOptions, type RunnerReport, startRunner } from './start-runner.ts';
