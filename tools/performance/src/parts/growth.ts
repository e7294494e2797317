import { statfs } from 'node:fs/promises';
import { warmUp } from '../compare.ts';
import { progress } from '../progress.ts';
import { judge, type PartResult, table } from '../report/finding.ts';
import { medianOf, shown, shownSpread } from '../report/statistics.ts';
import { checkPlans, describeSizes, sequentialScans } from '../world/check-plans.ts';
import { fillAccounts } from '../world/fill.ts';
import { freshPrefix, type MeasuredTurn, measureTurn } from '../world/measure-turn.ts';
import { sampleActivity } from '../world/sample-activity.ts';
import type { Target, World } from '../world/world.ts';
import type { Part } from './part.ts';

const CONNECTIONS = 16;
const STEPS = ['stage', 'process', 'status'] as const;
type Turns = Record<(typeof STEPS)[number], MeasuredTurn[]>;

/** An import with its indexes, every other one with an account, and the write-ahead log of the filling. */
const BYTES_AN_IMPORT = 1_000;
const BYTES_BESIDE = 6e9;
const FILLED_AT_LEAST = 1_000_000;

/** A database with this many imports of one supplier, and the service on it. */
interface Grown {
  size: number;
  target: Target;
  turns: Turns;
}

/**
 * Stage, process and status with none, a million and five million imports of one supplier, alternating between the
 * sizes.
 */
export const growth: Part = {
  name: 'growth',
  heading: 'Growth',
  async measure(world, { effort, growthSizes }) {
    const { sizes, remark } = await sizesThatFit(world, growthSizes);
    const grown: Grown[] = [];
    let before: Target | undefined;
    for (const size of sizes) {
      before = await fillDatabase(world, size, before);
      grown.push({ size, target: before, turns: { stage: [], process: [], status: [] } });
    }
    for (const one of grown) {
      one.target = await world.startTarget(`service with ${one.size}`, { database: one.target });
    }
    await world.postgres.query('postgres', 'CHECKPOINT');
    // Stage, process and status are parts of a journey.
    const targets = grown.map(({ target }) => target);
    await warmUp(world, targets, { scenario: 'journey', connections: CONNECTIONS, ...effort });
    const statements = new Set<string>();
    const scansBefore = await sequentialScans(world, targets);
    for (let round = 0; round < effort.rounds; round += 1) {
      for (const { size, target, turns } of grown) {
        const { activity } = await sampleActivity(world, target, () => runRound(world, target, { turns, effort }));
        for (const statement of activity.statements) statements.add(statement);
        progress(describeRound(size, turns));
      }
    }
    const largest = grown.at(-1)?.target;
    const work = 'Growth: sequential scans of the large tables';
    const seen = { work, statements: [...statements], scansBefore };
    const plans = largest === undefined ? { findings: [], details: [] } : await checkPlans(world, largest, seen);
    for (const { target } of grown) await target.ledger.verify();
    const sizesOfIndexes = await describeSizes(world, grown);
    const { findings, details } = describe(grown);
    const texts = [remark, ...details, ...plans.details, sizesOfIndexes];
    return { findings: [...findings, ...plans.findings], details: texts.filter((text) => text !== '') };
  },
};

/** Each database starts as a copy of the next smaller one. */
async function fillDatabase(world: World, size: number, smaller: Target | undefined): Promise<Target> {
  const template = smaller === undefined ? {} : { template: smaller.database };
  const target = await world.startTarget(`growth ${size}`, { instances: 0, ...template });
  const copied = smaller === undefined ? 0 : await countImports(world, target);
  target.ledger.addRows({ account_imports: copied, accounts: copied / 2 });
  progress(`filling ${size} imports`);
  await fillAccounts(world, target, { prefix: 'G', from: copied, to: size, completedEvery: 2 });
  return target;
}

async function countImports({ postgres }: World, { database }: Target): Promise<number> {
  const [row] = await postgres.query<{ count: string }>(database, 'SELECT count(*) FROM account_imports');
  return Number(row?.count ?? 0);
}

/** Stages accounts, processes those, and reads their status. */
async function runRound(
  world: World,
  target: Target,
  { turns, effort }: { turns: Turns; effort: { warmUpMs: number; measureMs: number } },
): Promise<void> {
  const prefix = freshPrefix();
  const request = { connections: CONNECTIONS, prefix, warmUpMs: effort.warmUpMs, measureMs: effort.measureMs };
  const staged = await measureTurn(world, target, { ...request, scenario: 'stage' });
  const processed = await measureTurn(world, target, { ...request, scenario: 'process', accounts: staged.completed });
  const status = { ...request, scenario: 'status', accounts: processed.completed, repeats: true } as const;
  turns.stage.push(staged);
  turns.process.push(processed);
  turns.status.push(await measureTurn(world, target, status));
}

function describeRound(size: number, turns: Turns): string {
  const rates = STEPS.map((step) => `${step} ${turns[step].at(-1)?.perSecond.toFixed(0)}`);
  return `${size} imports: ${rates.join(', ')} a second`;
}

async function sizesThatFit({ postgres }: World, wanted: readonly number[]) {
  const { bavail, bsize } = await statfs(postgres.directory);
  const free = bavail * bsize;
  const needed = wanted.reduce((sum, size) => sum + size * BYTES_AN_IMPORT, BYTES_BESIDE);
  if (needed <= free) return { sizes: wanted, remark: '' };
  const remark = `The disk has ${shown(free / 1e9)} GB left of ${shown(needed / 1e9)} GB that are needed: no further than 1 million.`;
  return { sizes: wanted.filter((size) => size <= FILLED_AT_LEAST), remark };
}

function describe(grown: Grown[]): PartResult {
  const heading = (size: number) => `${size.toLocaleString('en-GB')} imports`;
  const rates = ({ turns }: Grown, step: (typeof STEPS)[number]) => turns[step].map(({ perSecond }) => perSecond);
  const cpuMs = ({ turns }: Grown, step: (typeof STEPS)[number]) =>
    turns[step].map(({ cpuMs: spent }) => spent.system + spent.postgres);
  const rows = [
    ...STEPS.map((step) => [`${step}, a second`, ...grown.map((one) => shownSpread(rates(one, step)))]),
    ...STEPS.map((step) => [`${step}, ms of CPU each`, ...grown.map((one) => shownSpread(cpuMs(one, step)))]),
  ];
  const findings = STEPS.map((step) => {
    const medians = grown.map((one) => medianOf(rates(one, step)));
    const value = (Math.max(...medians) / Math.min(...medians) - 1) * 100;
    const goal = { value, direction: 'at most', mustReach: 15, unit: ' %' } as const;
    const reached = `${shown(value)} %: ${medians.map(shown).join(', ')}/s`;
    const sizes = grown.map(({ size }) => size.toLocaleString('en-GB')).join(', ');
    return judge(`Growth: ${step} with ${sizes} imports, apart`, goal, reached);
  });
  return { findings, details: [table(['', ...grown.map(({ size }) => heading(size))], rows)] };
}
