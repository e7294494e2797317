import { judge, type PartResult, table } from '../report/finding.ts';
import { shown } from '../report/statistics.ts';
import { measureJob } from '../world/bulk-job.ts';
import { type TableSize, tableSizes } from '../world/sizes.ts';
import type { Part } from './part.ts';

const LINES = 4_000;

/** The tables before and after a rehearsal of as many accounts as they hold. */
export const bulkHeap: Part = {
  name: 'bulk-heap',
  heading: 'Tables after a rehearsal',
  async measure(world): Promise<PartResult> {
    const target = await world.startTarget('rehearsed');
    const sizes = async () => (await tableSizes(world, target)).filter(({ name }) => !name.startsWith('bulk_'));
    const vacuum = () => world.postgres.query(target.database, 'VACUUM');
    await measureJob(world, target, { kind: 'MOVE', lines: LINES });
    await vacuum();
    const before = await sizes();
    await measureJob(world, target, { kind: 'MOVE', run_mode: 'REHEARSAL', lines: LINES });
    const rehearsed = await sizes();
    await vacuum();
    const after = await sizes();
    await measureJob(world, target, { kind: 'MOVE', run_mode: 'REHEARSAL', lines: LINES });
    await vacuum();
    const again = await sizes();
    await target.ledger.verify();
    for (const instance of target.instances) await instance.stop();
    const value = heapOf(after) / heapOf(before);
    const goal = { value, direction: 'at most', mustReach: 1.05, aim: 1 } as const;
    const reached = `${value.toFixed(3)}: ${shown(heapOf(after))} / ${shown(heapOf(before))} MB`;
    const row = (name: string, all: TableSize[]) => [
      name,
      shown(heapOf(all)),
      shown(indexesOf(all)),
      grown(before, all),
    ];
    const intro =
      `${LINES.toLocaleString('en-GB')} accounts are moved, as many others rehearsed. The tables of jobs are left out: ` +
      'they hold the book and its results. The vacuum is that of PostgreSQL, without the wait for autovacuum.';
    const rows = [
      ...[row('before', before), row('after the rehearsal', rehearsed), row('after its vacuum', after)],
      row('after another rehearsal and vacuum', again),
    ];
    return {
      findings: [judge('Heap of the tables after a rehearsal and its vacuum, of before', goal, reached)],
      details: [intro, table(['', 'heap, MB', 'indexes, MB', 'larger heaps'], rows)],
    };
  },
};

const SEEN_MB = 0.1;

/** The tables whose heaps have grown. */
function grown(before: TableSize[], after: TableSize[]): string {
  const known = new Map(before.map(({ name, heapMb }) => [name, heapMb]));
  const more = after.map(({ name, heapMb }) => ({ name, mb: heapMb - (known.get(name) ?? 0) }));
  const seen = more.filter(({ mb }) => mb >= SEEN_MB).map(({ name, mb }) => `${name} + ${shown(mb)}`);
  return seen.join(', ');
}

const heapOf = (sizes: TableSize[]): number => sizes.reduce((sum, { heapMb }) => sum + heapMb, 0);
const indexesOf = (sizes: TableSize[]): number => sizes.reduce((sum, { indexesMb }) => sum + indexesMb, 0);
