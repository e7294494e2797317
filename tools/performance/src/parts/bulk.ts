import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { type BulkRequest, type MeasuredJob, measureJob } from '../world/bulk-job.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 64;
const LINES = 4_000;
const SET_ASIDE = `UPDATE account_imports SET state = 'SKIPPED', skip_reason = 'bench', skipped_at = now() WHERE state = 'STAGED'`;

/** Jobs of the service's own lanes: MOVE in turn with the journey, and the others, which are rates alone. */
export const bulk: Part = {
  name: 'bulk',
  heading: 'A whole book in bulk',
  async measure(world, { effort }): Promise<PartResult> {
    const job = (request: Omit<BulkRequest, 'lines'>, lines = LINES) =>
      measureJob(world, world.service, { ...request, lines });
    // What other parts have staged belongs to no cohort.
    await world.postgres.query(world.service.database, SET_ASIDE);
    // The thread of the lanes is started, and the code is compiled.
    await job({ kind: 'MOVE' }, LINES / 4);
    const moves: MeasuredJob[] = [];
    const journeys: MeasuredTurn[] = [];
    const stages: MeasuredJob[] = [];
    const rehearsals: MeasuredJob[] = [];
    const cohorts: MeasuredJob[] = [];
    while (moves.length < effort.rounds) {
      moves.push(await job({ kind: 'MOVE' }));
      const work = { scenario: 'journey', connections: CONNECTIONS, ...effort, prefix: freshPrefix() } as const;
      journeys.push(await measureTurn(world, world.service, work));
      stages.push(await job({ kind: 'STAGE' }));
      rehearsals.push(await job({ kind: 'PROCESS', run_mode: 'REHEARSAL' }));
      cohorts.push(await job({ kind: 'PROCESS' }));
      progress(`MOVE ${rateOf(moves.slice(-1))}, journey ${rateOf(journeys.slice(-1))} accounts a second`);
    }
    await world.service.ledger.verify();
    const ratios = moves.map(({ perSecond }, round) => perSecond / (journeys[round]?.perSecond ?? Number.NaN));
    const goal = { value: medianOf(ratios), direction: 'at least', mustReach: 2.5, aim: 4 } as const;
    const reached = `${shownSpread(ratios)}: ${rateOf(moves)} / ${rateOf(journeys)} accounts/s`;
    const header = ['', 'accounts a second', 'CPU ms of the service', 'CPU ms of PostgreSQL'];
    const rows = [row('MOVE', moves), row('STAGE', stages), row('rehearsal', rehearsals), row('PROCESS', cohorts)];
    return {
      findings: [judge('MOVE of accounts with their history, of the journey, 64 connections', goal, reached)],
      details: [INTRODUCTION, table(header, rows)],
    };
  },
};

const INTRODUCTION =
  `Jobs of ${LINES} lines, two lanes, in the thread of one instance; from the first chunk to the end of the last. ` +
  'The lines of MOVE have 2 notes, 24 transactions and 12 statements, those of STAGE none.';

const rateOf = (all: { perSecond: number }[]): string => shown(medianOf(all.map(({ perSecond }) => perSecond)));

function row(name: string, jobs: MeasuredJob[]): string[] {
  return [
    name,
    shownSpread(jobs.map(({ perSecond }) => perSecond)),
    shownSpread(jobs.map(({ cpuMs }) => cpuMs.system)),
    shownSpread(jobs.map(({ cpuMs }) => cpuMs.postgres)),
  ];
}
