import type { CopyResult } from '../load/copy.ts';
import type { ListResult } from '../load/list.ts';
import { progress } from '../progress.ts';
import { judge, type PartResult } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { checkPlans, sequentialScans } from '../world/check-plans.ts';
import { fillAccounts } from '../world/fill.ts';
import { cpuSeconds, familyCpuSeconds, residentMb, watchResidentMb } from '../world/processes.ts';
import { sampleActivity } from '../world/sample-activity.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

const PATH = `/v1/data-import/all-account-import-processes/${IMPORT_SUPPLIER}/`;
/** Pages read before memory is measured: a process that has just started is small for another reason. */
const WARM_UP_PAGES = 50;

const LIST_QUERY = `SELECT import.external_account_number, account.service_account_number, account.created_at
  FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
  WHERE import.import_supplier_code = '${IMPORT_SUPPLIER}' ORDER BY import.staging_order`;

/** What the lists of a supplier and the COPYs of the same rows were, one pair a round. */
interface Rounds {
  lists: ListResult[];
  copies: CopyResult[];
  /** CPU seconds of all lists. */
  spent: { system: number; postgres: number };
  /** MB. */
  memory: { before: number; most: number };
}

/** The whole list of a large supplier, against COPY of the same rows. */
export const list: Part = {
  name: 'list',
  heading: 'List of account imports',
  async measure(world, { effort, listImports }) {
    const target = await world.startTarget('list');
    await fillAccounts(world, target, { prefix: 'L', from: 0, to: listImports, completedEvery: 2 });
    const heading = `List of ${listImports.toLocaleString('en-GB')} imports`;
    const scansBefore = await sequentialScans(world, [target]);
    const sampled = await sampleActivity(world, target, () => readPages(world, target));
    const { statements } = sampled.activity;
    const work = `${heading}: sequential scans of the large tables`;
    const plans = await checkPlans(world, target, { work, statements, scansBefore });
    const rounds = await measureRounds(world, target, { rounds: effort.rounds, listImports });
    const { findings, details } = describe(rounds, { heading, listImports });
    return { findings: [...findings, ...plans.findings], details: [...details, ...plans.details] };
  },
};

async function readPages(world: World, target: Target): Promise<void> {
  for (let pages = 0; pages < WARM_UP_PAGES; pages += 1) await readList(world, target, `${PATH}?limit=10000`);
}

async function measureRounds(
  world: World,
  target: Target,
  { rounds, listImports }: { rounds: number; listImports: number },
): Promise<Rounds> {
  const pid = target.instances[0]?.pid ?? 0;
  const before = residentMb(pid) ?? Number.NaN;
  const mostSoFar = watchResidentMb(pid);
  const measured: Rounds = {
    lists: [],
    copies: [],
    spent: { system: 0, postgres: 0 },
    memory: { before, most: before },
  };
  while (measured.lists.length < rounds) {
    const system = cpuSeconds(pid);
    const postgres = familyCpuSeconds(world.postgres.pid);
    const result = await readList(world, target, PATH);
    measured.spent.system += cpuSeconds(pid) - system;
    measured.spent.postgres += familyCpuSeconds(world.postgres.pid) - postgres;
    if (result.records !== listImports) throw new Error(`The list has ${result.records} records of ${listImports}`);
    measured.lists.push(result);
    const { databaseUrl } = target;
    measured.copies.push(await world.generator.run('copy', { databaseUrl, query: LIST_QUERY }));
    progress(`list ${result.milliseconds.toFixed(0)} ms, COPY ${measured.copies.at(-1)?.milliseconds.toFixed(0)} ms`);
  }
  measured.memory.most = mostSoFar();
  return measured;
}

function describe(
  { lists, copies, spent, memory }: Rounds,
  { heading, listImports }: { heading: string; listImports: number },
): PartResult {
  const growth = memory.most - memory.before;
  const ratios = lists.map(({ milliseconds }, round) => (copies[round]?.milliseconds ?? Number.NaN) / milliseconds);
  const firstBytes = lists.map(({ firstByteMs }) => firstByteMs);
  const rate = (results: { milliseconds: number }[]) =>
    shownSpread(results.map(({ milliseconds }) => (listImports * 1_000) / milliseconds));
  const size = (results: { bytes: number }[]) => `${shown((results[0]?.bytes ?? 0) / 1e6)} MB`;
  const share = { value: medianOf(ratios), direction: 'at least', mustReach: 0.5 } as const;
  return {
    findings: [
      judge(`${heading}: first byte`, goalOfFirstByte(firstBytes), `${shownSpread(firstBytes)} ms`),
      judge(`${heading}: rate, of COPY's`, share, `${shownSpread(ratios)}: ${rate(lists)} records/s`),
      judge(`${heading}: growth of the process`, goalOfGrowth(growth), `${shown(growth)} MB`),
    ],
    details: [
      `The service: ${rate(lists)} records a second, ${size(lists)}; CPU a list: the service ` +
        `${shown(spent.system / lists.length)} s, PostgreSQL ${shown(spent.postgres / lists.length)} s. ` +
        `\`COPY (SELECT ...) TO STDOUT\`: ${rate(copies)} records a second, ${size(copies)}. Half of the accounts are ` +
        `processed. Memory: ${shown(memory.before)} MB after ${WARM_UP_PAGES} pages of 10,000, and at most ` +
        `${shown(growth)} MB more during all lists.`,
    ],
  };
}

function goalOfGrowth(value: number) {
  return { value, direction: 'at most', mustReach: 50, unit: ' MB' } as const;
}

function goalOfFirstByte(firstBytes: number[]) {
  return { value: medianOf(firstBytes), direction: 'at most', mustReach: 100, unit: ' ms' } as const;
}

async function readList(world: World, target: Target, path: string): Promise<ListResult> {
  const url = target.instances[0]?.url ?? '';
  const result = await world.generator.run('list', { url, path, token: await world.token() });
  if (result.status === 200 && result.isWhole) return result;
  throw new Error(`The list is not whole: ${JSON.stringify(result)}`);
}
