import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readSeed } from '@causeway/testing';
import { DEFECTS } from './defects.ts';
import { type RowRun, renderReport } from './render-report.ts';
import { inLanes } from './rig/wait.ts';
import { didNotEnd, type Run, runScenario, type Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { REPOSITORY, readCommit, runRow, tryDefect } from './try-defect.ts';

const HELP = `npx pnpm@12 torture [row ...] [options]: proves what the service promises, by all rows or by these.
  --short        each row in its short form
  --size=3       this much of each scenario, in its own unit
  --defects      plants known defects in copies of the repository: the scenarios have to notice
  --json         runs the rows one after the other and prints the runs as JSON
Ends with 1 if a promise is broken that does not depend on the machine's speed. All rows in full are written to
docs/figures/reliability.md. Rows that measure speed run alone, after the others, of which two run at once. Two commands
at once are one too many. SEED=<number> repeats a run.
`;
const OPTIONS = {
  short: { type: 'boolean' },
  size: { type: 'string' },
  defects: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const LANES = 2;
const REPORT = path.join(REPOSITORY, 'docs/figures/reliability.md');
const REMARKS = path.join(REPOSITORY, 'tools/reliability/remarks.md');

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const { short, size, json } = values;
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const isChosen = ({ row }: { row: number }) => positionals.length === 0 || positionals.map(Number).includes(row);
  if (values.defects) return tryDefects(isChosen);
  const sizeOf = (scenario: Scenario) => (short ? scenario.short : Number(size ?? scenario.full));
  const chosen = SCENARIOS.filter(isChosen);
  if (json) return runHere(chosen, sizeOf);
  const amount = [...(short ? ['--short'] : []), ...(size === undefined ? [] : [`--size=${size}`])];
  const isWhole = amount.length === 0 && positionals.length === 0;
  const rows = { sizeOf, amount, isWhole };
  const runs = await runInLanes(chosen, rows);
  // As in the tests: CI tries once more what failed, and prints it.
  const failed = new Set(process.env.CI ? runs.filter(isBroken).map(({ row }) => row) : []);
  const again = await runInLanes(
    chosen.filter(({ row }) => failed.has(row)),
    rows,
  );
  const counted = [...runs.filter(({ row }) => !failed.has(row)), ...again];
  const broken = counted.flatMap(({ claims }) => claims).filter(({ holds }) => !holds);
  for (const { what, found } of broken) process.stdout.write(`does not hold: ${what}: ${found}\n`);
  if (counted.some(isBroken)) process.exitCode = 1;
}

const isBroken = ({ claims }: Run) => claims.some(({ holds, dependsOnSpeed }) => !holds && !dependsOnSpeed);

type SizeOf = (scenario: Scenario) => number;

async function runHere(scenarios: readonly Scenario[], sizeOf: SizeOf): Promise<void> {
  const runs: Run[] = [];
  for (const scenario of scenarios)
    runs.push(await runScenario(scenario, sizeOf(scenario), readSeed(randomInt(2 ** 32))));
  process.stdout.write(`${JSON.stringify(runs)}\n`);
}

interface Rows {
  sizeOf: SizeOf;
  /** The options that make each scenario's size in another process what `sizeOf` says here. */
  amount: readonly string[];
  /** They are all rows in full: for the report. */
  isWhole: boolean;
}

/** Each row runs in its own process; one that fails does not stop the others. */
async function runInLanes(scenarios: readonly Scenario[], { sizeOf, amount, isWhole }: Rows): Promise<RowRun[]> {
  const all: RowRun[] = [];
  const runAndKeep = async (ofRow: readonly Scenario[]) => {
    const [{ row }] = ofRow as [Scenario];
    const commit = readCommit(REPOSITORY);
    const startedAt = performance.now();
    const { runs, lines } = await runRow(REPOSITORY, row, amount).catch((error: Error) => ({
      runs: ofRow.map((scenario) => didNotEnd(error, sizeOf(scenario), startedAt)),
      lines: [`reliability ${row}: ${error.message}`],
    }));
    process.stdout.write(`${lines.join('\n')}\n`);
    for (const [index, { row: _, ...scenario }] of ofRow.entries())
      all.push({ ...scenario, ...(runs[index] as Run), row, commit });
    if (isWhole) writeFileSync(REPORT, renderReport(all, readFileSync(REMARKS, 'utf8').trim()));
  };
  const tasksOf = (chosen: readonly Scenario[]) =>
    [...Map.groupBy(chosen, ({ row }) => row).values()].map((ofRow) => () => runAndKeep(ofRow));
  await inLanes(LANES, tasksOf(scenarios.filter(({ alone }) => !alone)));
  await inLanes(1, tasksOf(scenarios.filter(({ alone }) => alone)));
  return all;
}

async function tryDefects(isChosen: (defect: { row: number }) => boolean): Promise<void> {
  const tasks = DEFECTS.filter(isChosen).map((defect) => async () => {
    const { red, found } = await tryDefect(defect);
    process.stdout.write(`${red ? 'noticed' : 'NOT NOTICED'}: ${defect.name} (row ${defect.row}): ${found}\n`);
    if (!red) process.exitCode = 1;
  });
  await inLanes(LANES, tasks);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
