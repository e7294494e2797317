import { statfs } from 'node:fs/promises';
import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import { type AddedJob, addJob, measureJob } from '../world/bulk-job.ts';
import { type TableSize, tableSizes } from '../world/sizes.ts';
import type { Target, World } from '../world/world.ts';
import { idleMb, judgeMemory, mostMbWhile } from './bulk-memory.ts';
import type { Part } from './part.ts';

/** An account with its history, its indexes, and the lines that wait for it. */
const BYTES_AN_ACCOUNT = 25_000;
/** The write-ahead log, and what others need. */
const BYTES_BESIDE = 8e9;
const LINES_TO_WARM_UP = 2_000;
const TENTHS = 10;
const LISTED_MB = 1;

/** One job that moves a whole book into an empty database: whether it becomes slower as the tables grow. */
export const bulkGrowth: Part = {
  name: 'bulk-growth',
  heading: 'A book of a million accounts',
  async measure(world, { bulkLines }): Promise<PartResult> {
    const { lines, remark } = await linesThatFit(world, bulkLines);
    const target = await world.startTarget('bulk growth');
    const idle = await idleMb(target);
    await measureJob(world, target, { kind: 'MOVE', lines: LINES_TO_WARM_UP });
    const job = await addJob(world, target, { kind: 'MOVE', lines });
    progress(`${lines} lines are uploaded`);
    await world.postgres.query('postgres', 'CHECKPOINT');
    const before = await tableSizes(world, target);
    await job.start();
    const { most, perSecond, cpuMs } = await mostMbWhile(target, () => job.ended());
    progress('counting all rows and every penny');
    await target.ledger.verify();
    const after = await tableSizes(world, target);
    const tenths = await rateOfTenths(world, target, job);
    for (const instance of target.instances) await instance.stop();
    const value = (tenths.at(-1) ?? Number.NaN) / (tenths[0] ?? Number.NaN);
    const goal = { value, direction: 'at least', mustReach: 0.8 } as const;
    const reached = `${shown(value)}: ${shown(tenths.at(-1) ?? Number.NaN)} / ${shown(tenths[0] ?? Number.NaN)} accounts/s`;
    const size = lines.toLocaleString('en-GB');
    const intro =
      `One MOVE of ${size} lines on two lanes: ${shown(perSecond)} accounts a second, ${shown(cpuMs.system)} ms of CPU ` +
      `of the service and ${shown(cpuMs.postgres)} ms of PostgreSQL each. Afterwards every row and every penny is counted.`;
    return {
      findings: [
        judge(`MOVE of ${size} accounts: rate of the last tenth, of the first`, goal, reached),
        judgeMemory(lines, { idle, most }),
      ],
      details: [remark, intro, describeTenths(tenths), describeSizes(before, after)].filter((text) => text !== ''),
    };
  },
};

async function linesThatFit({ postgres }: World, wanted: number): Promise<{ lines: number; remark: string }> {
  const { bavail, bsize } = await statfs(postgres.directory);
  const free = bavail * bsize;
  const fit = Math.floor((free - BYTES_BESIDE) / BYTES_AN_ACCOUNT / 100_000) * 100_000;
  if (wanted <= fit) return { lines: wanted, remark: '' };
  const remark = `The disk has ${shown(free / 1e9)} GB left: no more than ${fit.toLocaleString('en-GB')} lines.`;
  return { lines: fit, remark };
}

/** Accounts a second, by the order in which the chunks were done. */
async function rateOfTenths({ postgres }: World, { database }: Target, { id }: AddedJob): Promise<number[]> {
  const rows = await postgres.query<{ rate: number }>(
    database,
    `WITH chunk AS (
       SELECT lines, started_at, finished_at, ntile($2) OVER (ORDER BY finished_at) AS tenth
       FROM bulk_chunks WHERE job_id = $1
     ),
     tenth AS (
       SELECT tenth, sum(lines) AS lines, min(started_at) AS started_at, max(finished_at) AS finished_at
       FROM chunk GROUP BY tenth
     )
     SELECT (lines / extract(epoch FROM finished_at
       - coalesce(lag(finished_at) OVER (ORDER BY tenth), started_at)))::float8 AS rate
     FROM tenth ORDER BY tenth`,
    [id, TENTHS],
  );
  return rows.map(({ rate }) => rate);
}

function describeTenths(tenths: number[]): string {
  const header = ['tenth', ...tenths.map((_, index) => String(index + 1))];
  return table(header, [['accounts a second', ...tenths.map(shown)]]);
}

function describeSizes(before: TableSize[], after: TableSize[]): string {
  const known = new Map(before.map((size) => [size.name, size]));
  const large = after.filter(({ name, heapMb, indexesMb }) => {
    const { heapMb: heap = 0, indexesMb: indexes = 0 } = known.get(name) ?? {};
    return Math.max(heapMb + indexesMb, heap + indexes) >= LISTED_MB;
  });
  const rows = large.map(({ name, heapMb, indexesMb }) => {
    const { heapMb: heap = 0, indexesMb: indexes = 0 } = known.get(name) ?? {};
    return [name, ...[heap, heapMb, indexes, indexesMb].map(shown)];
  });
  return table(['table', 'before, MB', 'after, MB', 'indexes before, MB', 'indexes after, MB'], rows);
}
