import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { type BulkRequest, type MeasuredJob, measureJob } from '../world/bulk-job.ts';
import { type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import { insertMoved, insertStaged, type PlainRows, setStagedAside } from '../world/plain-rows.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 64;
const LINES = 4_000;

/** Jobs of the service's own lanes: MOVE and STAGE in turn with what they are compared with, the others as rates alone. */
export const bulk: Part = {
  name: 'bulk',
  heading: 'A whole book in bulk',
  async measure(world, { effort }): Promise<PartResult> {
    const job = (request: Omit<BulkRequest, 'lines'>, lines = LINES) =>
      measureJob(world, world.service, { ...request, lines });
    // What other parts have staged belongs to no cohort.
    await setStagedAside(world);
    // The thread of the lanes is started, and the code is compiled.
    await job({ kind: 'MOVE' }, LINES / 4);
    const moves: MeasuredJob[] = [];
    const journeys: MeasuredTurn[] = [];
    const stages: MeasuredJob[] = [];
    const moveInserts: PlainRows[] = [];
    const stageInserts: PlainRows[] = [];
    const rehearsals: MeasuredJob[] = [];
    const cohorts: MeasuredJob[] = [];
    while (moves.length < effort.rounds) {
      const moved = await job({ kind: 'MOVE' });
      moves.push(moved);
      moveInserts.push(await insertMoved(world, moved, LINES));
      const work = { scenario: 'journey', connections: CONNECTIONS, ...effort } as const;
      journeys.push(await measureTurn(world, world.service, work));
      stageInserts.push(await insertStaged(world, LINES));
      stages.push(await job({ kind: 'STAGE' }));
      rehearsals.push(await job({ kind: 'PROCESS', run_mode: 'REHEARSAL' }));
      cohorts.push(await job({ kind: 'PROCESS' }));
      progress(`MOVE ${rateOf(moves.slice(-1))}, journey ${rateOf(journeys.slice(-1))} accounts a second`);
    }
    await world.service.ledger.verify();
    const findings = [
      compare('MOVE of accounts with their history, of the journey, 64 connections', [moves, journeys], [2.5, 4]),
      compare("MOVE, of PostgreSQL's own rate for the same rows", [moves, moveInserts], [0.6, 0.8]),
      compare('STAGE, of plain insert statements of the same payloads', [stages, stageInserts], [0.65, 0.8]),
    ];
    const header = ['', 'accounts a second', 'CPU ms of the service', 'CPU ms of PostgreSQL'];
    const rows = [
      ...[row('MOVE', moves), plainRow('the same rows by SQL', moveInserts)],
      ...[row('STAGE', stages), plainRow('the same payloads by SQL', stageInserts)],
      ...[row('rehearsal', rehearsals), row('PROCESS', cohorts)],
    ];
    return { findings, details: [INTRODUCTION, table(header, rows)] };
  },
};

const INTRODUCTION =
  `Jobs of ${LINES} lines, two lanes, in the thread of one instance; from the first chunk to the end of the last. ` +
  'The lines of MOVE have 2 notes, 24 transactions and 12 statements, those of STAGE none. By SQL: arrays of 100 accounts ' +
  'by one statement, into the same database with all its constraints: for MOVE all rows that the job has written, its ' +
  'events included, with new numbers, by two connections; for STAGE the payload alone, by one.';

interface Rate {
  perSecond: number;
}

function compare(work: string, [these, those]: [Rate[], Rate[]], [mustReach, aim]: [number, number]) {
  const ratios = these.map(({ perSecond }, round) => perSecond / (those[round]?.perSecond ?? Number.NaN));
  const goal = { value: medianOf(ratios), direction: 'at least', mustReach, aim } as const;
  return judge(work, goal, `${shownSpread(ratios)}: ${rateOf(these)} / ${rateOf(those)} accounts/s`);
}

const rateOf = (all: Rate[]): string => shown(medianOf(all.map(({ perSecond }) => perSecond)));

function row(name: string, jobs: MeasuredJob[]): string[] {
  return [
    name,
    shownSpread(jobs.map(({ perSecond }) => perSecond)),
    shownSpread(jobs.map(({ cpuMs }) => cpuMs.system)),
    shownSpread(jobs.map(({ cpuMs }) => cpuMs.postgres)),
  ];
}

function plainRow(name: string, inserts: PlainRows[]): string[] {
  const perSecond = inserts.map((insert) => insert.perSecond);
  return [name, shownSpread(perSecond), '', shownSpread(inserts.map(({ cpuMs }) => cpuMs.postgres))];
}
