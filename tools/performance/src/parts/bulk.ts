import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { type BulkRequest, bookLines, type MeasuredJob, measureJob } from '../world/bulk-job.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { World } from '../world/world.ts';
import type { Part } from './part.ts';

const HEADING = 'A whole book in bulk';
const CONNECTIONS = 64;
const LINES = 4_000;
const LINES_A_STATEMENT = 100;

/** One line of the table: the rate of jobs, and what it is compared with in the same rounds. */
interface Compared {
  work: string;
  mustReach: number;
  aim: number;
  ratios: number[];
  rates: string;
}

/** Jobs of the service's own lanes, each in turn with what it is compared with. */
export const bulk: Part = {
  name: 'bulk',
  heading: HEADING,
  async measure(world, { effort }): Promise<PartResult> {
    const job = (request: Omit<BulkRequest, 'lines'>, lines = LINES) =>
      measureJob(world, world.service, { ...request, lines });
    // The thread of the lanes is started, and the code is compiled.
    await job({ kind: 'MOVE' }, LINES / 4);
    const moves: MeasuredJob[] = [];
    const journeys: MeasuredTurn[] = [];
    const stages: MeasuredJob[] = [];
    const inserts: number[] = [];
    const rehearsals: MeasuredJob[] = [];
    const cohorts: MeasuredJob[] = [];
    const singles: MeasuredTurn[] = [];
    while (moves.length < effort.rounds) {
      moves.push(await job({ kind: 'MOVE' }));
      journeys.push(await turnOf(world, 'journey', effort));
      inserts.push(await insertPlainly(world));
      stages.push(await job({ kind: 'STAGE' }));
      rehearsals.push(await job({ kind: 'PROCESS', run_mode: 'REHEARSAL' }));
      cohorts.push(await job({ kind: 'PROCESS' }));
      singles.push(await singleCalls(world, effort));
      progress(`move ${rateOf(moves.slice(-1))}, journey ${rateOf(journeys.slice(-1))} accounts a second`);
    }
    await world.service.ledger.verify();
    const plain = inserts.map((perSecond) => ({ perSecond }));
    const compared = [
      compare('MOVE of accounts with their history, of the journey, 64 connections', [moves, journeys], [2.5, 4]),
      compare('STAGE, of plain insert statements of the same payloads on one connection', [stages, plain], [0.6, 0.8]),
      compare('PROCESS of a cohort, of single calls on one connection', [cohorts, singles], [2.5, 4]),
      compare('Rehearsal of the cohort, of PROCESS', [rehearsals, cohorts], [0.9, 1]),
    ];
    const rows = [row('MOVE', moves), row('STAGE', stages), row('rehearsal', rehearsals), row('PROCESS', cohorts)];
    const header = ['', 'accounts a second', 'CPU ms of the service', 'CPU ms of PostgreSQL'];
    return { findings: compared.map(findingOf), details: [INTRODUCTION, table(header, rows)] };
  },
};

const INTRODUCTION =
  `Jobs of ${LINES} lines, two lanes, in the thread of one instance; from the first chunk to the end of the last. ` +
  'The lines of MOVE have 2 notes, 24 transactions and 12 statements, those of STAGE none.';

interface Rate {
  perSecond: number;
}

function compare(work: string, [these, those]: [Rate[], Rate[]], [mustReach, aim]: [number, number]): Compared {
  const ratios = these.map(({ perSecond }, round) => perSecond / (those[round]?.perSecond ?? Number.NaN));
  return { work, mustReach, aim, ratios, rates: `${rateOf(these)} / ${rateOf(those)} accounts/s` };
}

function findingOf({ work, mustReach, aim, ratios, rates }: Compared) {
  const goal = { value: medianOf(ratios), direction: 'at least', mustReach, aim } as const;
  return judge(work, goal, `${shownSpread(ratios)}: ${rates}`);
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

interface Durations {
  warmUpMs: number;
  measureMs: number;
}

function turnOf(world: World, scenario: 'journey', { warmUpMs, measureMs }: Durations): Promise<MeasuredTurn> {
  const prefix = freshPrefix();
  return measureTurn(world, world.service, { scenario, connections: CONNECTIONS, warmUpMs, measureMs, prefix });
}

/** Creates staged accounts by one call after the other; those that it does not come to are removed from the next cohort. */
async function singleCalls(world: World, { warmUpMs, measureMs }: Durations): Promise<MeasuredTurn> {
  const { service } = world;
  const prefix = freshPrefix();
  const staging = {
    scenario: 'stage',
    connections: CONNECTIONS,
    warmUpMs: 0,
    measureMs: measureMs / 2,
    prefix,
  } as const;
  const { completed: accounts } = await measureTurn(world, service, staging);
  const creating = { scenario: 'process', connections: 1, warmUpMs: warmUpMs / 2, measureMs: measureMs / 2 } as const;
  const turn = await measureTurn(world, service, { ...creating, prefix, accounts });
  await setAside(world.postgres, service);
  return turn;
}

const IDS = `
  SELECT account_import_id($1, number) AS id FROM unnest($2::text[]) WITH ORDINALITY AS sent (number, place) ORDER BY place`;

/** Payloads like those of STAGE, by the plainest statement there is: no events, no conflicts, nothing returned. */
const INSERT = `
  INSERT INTO account_imports (id, import_supplier_code, external_account_number, state, payload, staged_at, updated_at)
  SELECT id, $1, payload->>'external_account_number', 'STAGED', payload, now(), now()
  FROM unnest($2::uuid[], $3::jsonb[]) AS sent (id, payload)`;

/** Accounts a second. */
async function insertPlainly({ postgres, service }: World): Promise<number> {
  const lines = bookLines(LINES, false);
  const numbers = lines.map((line) => JSON.parse(line).external_account_number);
  const found = await postgres.query<{ id: string }>(service.database, IDS, [IMPORT_SUPPLIER, numbers]);
  const ids = found.map(({ id }) => id);
  const startedAt = performance.now();
  for (let first = 0; first < LINES; first += LINES_A_STATEMENT) {
    const end = first + LINES_A_STATEMENT;
    await postgres.query(service.database, INSERT, [IMPORT_SUPPLIER, ids.slice(first, end), lines.slice(first, end)]);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await setAside(postgres, service);
  service.ledger.addRows({ account_imports: LINES });
  return LINES / seconds;
}

/** What is staged now belongs to no cohort. */
function setAside(postgres: World['postgres'], { database }: World['service']) {
  return postgres.query(
    database,
    `UPDATE account_imports SET state = 'SKIPPED', skip_reason = 'bench', skipped_at = now() WHERE state = 'STAGED'`,
  );
}
