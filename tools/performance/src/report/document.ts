import { existsSync, readFileSync } from 'node:fs';
import type { Effort } from '../compare.ts';
import { type Finding, findingsTable, type PartResult } from './finding.ts';

/** What a full run found. */
export interface Run {
  /** YYYY-MM-DD. */
  date: string;
  effort: Effort;
  environment: string[];
  /** `again`: by a run of this part alone, afterwards. */
  results: { heading: string; result: PartResult; again?: boolean }[];
}

/**
 * docs/figures/performance.md: every number except those in the remarks comes from the run. The remarks are
 * hand-written Markdown about missed targets, in an optional file.
 */
export function documentOf({ date, effort, environment, results }: Run, remarksFile: string): string {
  const later = results
    .filter(({ again, result }) => again && result.findings.length > 0)
    .map(({ heading }) => `“${heading}”`);
  const measuredAgain =
    later.length === 0 ? [] : [`Measured again afterwards, by runs of these parts alone: ${later.join(', ')}.`];
  const findings = results.flatMap(({ result }) => result.findings);
  const sections = results.flatMap(({ heading, result }) =>
    result.details.length === 0 ? [] : [`## ${heading}`, ...result.details],
  );
  const remarks = existsSync(remarksFile) ? [readFileSync(remarksFile, 'utf8').trim()] : [];
  const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`;
  return `${[
    '# Performance',
    `Written by \`npx pnpm@12 bench\` on ${date}: all numbers are those of its runs, nothing is edited by hand.`,
    ...measuredAgain,
    ...['## What was to be reached', summaryOf(findings), findingsTable(findings), ...remarks],
    '## How it was measured',
    environment.join('\n'),
    [
      '- the reference is `tools/performance/reference/server.ts`: the same interface written by hand with Fastify, zod and pg, on a',
      '  database of its own in the same PostgreSQL; before anything is measured, both have to give the same answers and',
      '  write the same rows',
      '- the lean peer is `tools/performance/peer/server.ts`: what somebody would write instead, with Fastify, its JSON schemas and',
      '  pg, on tables of its own with fewer checks; it has to give the same answers',
      `- service and reference, or peer, in turns (A B A B), ${effort.rounds} rounds; each turn has a warm-up of`,
      `  ${seconds(effort.warmUpMs)} and ${seconds(effort.measureMs)} that count; ratios are pair by pair; medians, with the least and the most in`,
      '  brackets; a checkpoint before each part, and then when PostgreSQL wants one',
      '- each is one process with 20 database connections, one log line a request to /dev/null; the load generator is a',
      '  process of its own, keeps its connections alive and sends the next request when the answer is there',
      '- every status and every 16th body is checked, afterwards every row and every penny is counted in their databases; one',
      '  wrong answer ends the run',
      '- CPU of each: of an account or a request, the processor time of the system + that of PostgreSQL, the service /',
      '  the other',
      '- p99 at 80 % of the peer’s peak: iterations arrive by the clock at 80 % of the rate that the peer had reached, for both',
      '  alike, and their time counts from their arrival',
    ].join('\n'),
    ...sections,
  ].join('\n\n')}\n`;
}

function summaryOf(findings: Finding[]): string {
  const judged = findings.filter(({ verdict }) => verdict.startsWith('reached') || verdict.startsWith('missed'));
  const reached = judged.filter(({ verdict }) => verdict.startsWith('reached'));
  return `${reached.length} of ${judged.length} targets are reached.`;
}
