import type { CopyResult } from '../load/copy.ts';
import type { ListResult } from '../load/list.ts';
import { judge } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { fillAccounts } from '../world/fill.ts';
import { cpuSeconds, familyCpuSeconds, peakResidentMb, residentMb } from '../world/processes.ts';
import { IMPORT_SUPPLIER } from '../world/seed.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

const PATH = `/v1/data-import/all-account-import-processes/${IMPORT_SUPPLIER}/`;
/** Pages read before memory is looked at: a process that has just begun is small for another reason. */
const WARM_UP_PAGES = 50;

const LIST_QUERY = `SELECT import.external_account_number, account.service_account_number, account.created_at
  FROM account_imports import LEFT JOIN accounts account ON account.account_import_id = import.id
  WHERE import.import_supplier_code = '${IMPORT_SUPPLIER}' ORDER BY import.staging_order`;

/** The whole list of a large supplier, against COPY of the same rows. */
export const list: Part = {
  name: 'list',
  heading: 'List of account imports',
  async measure(world, { effort, listImports }) {
    const target = await world.startTarget('list');
    await fillAccounts(world, target, { prefix: 'L', from: 0, to: listImports, completedEvery: 2 });
    const page = `${PATH}?limit=10000`;
    for (let pages = 0; pages < Math.min(WARM_UP_PAGES, listImports); pages += 1) await readList(world, target, page);
    const pid = target.instances[0]?.pid ?? 0;
    const atFirst = residentMb(pid) ?? Number.NaN;
    const used = () => ({ system: cpuSeconds(pid), postgres: familyCpuSeconds(world.postgres.pid) });
    const spent = { system: 0, postgres: 0 };
    const lists: ListResult[] = [];
    const copies: CopyResult[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      const before = used();
      const result = await readList(world, target, PATH);
      const after = used();
      spent.system += after.system - before.system;
      spent.postgres += after.postgres - before.postgres;
      if (result.records !== listImports) throw new Error(`The list has ${result.records} records of ${listImports}`);
      lists.push(result);
      copies.push(await world.generator.run('copy', { databaseUrl: target.databaseUrl, query: LIST_QUERY }));
    }
    const growth = (peakResidentMb(pid) ?? Number.NaN) - atFirst;
    const ratios = lists.map(({ milliseconds }, round) => (copies[round]?.milliseconds ?? Number.NaN) / milliseconds);
    const firstBytes = lists.map(({ firstByteMs }) => firstByteMs);
    const heading = `List of ${listImports.toLocaleString('en-GB')} imports`;
    const rate = (results: { milliseconds: number }[]) =>
      shownSpread(results.map(({ milliseconds }) => (listImports * 1_000) / milliseconds));
    const share = { value: medianOf(ratios), direction: 'at least', mustReach: 0.5 } as const;
    return {
      findings: [
        judge(`${heading}: first byte`, goalOfFirstByte(firstBytes), `${shownSpread(firstBytes)} ms`),
        judge(`${heading}: rate, of COPY's`, share, `${shownSpread(ratios)}: ${rate(lists)} records/s`),
        judge(`${heading}: growth of the process`, goalOfGrowth(growth), `${shown(growth)} MB`),
      ],
      details: [
        `The service: ${rate(lists)} records a second, ${shown((lists[0]?.bytes ?? 0) / 1e6)} MB. ` +
          `\`COPY (SELECT ...) TO STDOUT\`: ${rate(copies)} records a second, ` +
          `${shown((copies[0]?.bytes ?? 0) / 1e6)} MB. Half of the accounts are processed. Memory: ${shown(atFirst)} MB ` +
          `after ${WARM_UP_PAGES} pages of 10,000, and at most ${shown(growth)} MB more during all lists. ` +
          `CPU a list: the service ${shown(spent.system / effort.rounds)} s, PostgreSQL ` +
          `${shown(spent.postgres / effort.rounds)} s.`,
      ],
    };
  },
};

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
