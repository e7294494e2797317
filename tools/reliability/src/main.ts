import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readSeed } from '@causeway/testing';
import type { Defect } from './defects/defect.ts';
import { DEFECTS } from './defects.ts';
import { describeMachine, type Results, renderReport } from './render-report.ts';
import { inLanes } from './rig/wait.ts';
import { didNotEnd, type Run, runScenario, type Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { REPOSITORY, readCommit, runRow, tryDefect } from './try-defect.ts';

const HELP = `npx pnpm@12 torture [options]: proves what the service promises, and writes docs/figures/reliability.md.
  --only=4,5     these rows of its table; of the defects, those tried on these rows
  --scale=0.1    this share of each scenario; a smaller run is printed and not written
  --size=3       this much of each scenario, in its own unit; likewise
  --defects      plants known defects in copies of the repository: the scenarios have to notice
  --json         runs the rows one after the other, prints the runs as JSON and writes nothing
Rows that measure speed run alone, after the others, of which two run at once. Two commands at once are one too many.
SEED=<number> repeats a run.
`;
const OPTIONS = {
  only: { type: 'string' },
  scale: { type: 'string', default: '1' },
  size: { type: 'string' },
  defects: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const LANES = 2;
const DATA = path.join(REPOSITORY, 'docs/figures/reliability.json');
const REPORT = path.join(REPOSITORY, 'docs/figures/reliability.md');
const REMARKS = path.join(REPOSITORY, 'tools/reliability/remarks.md');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const rows = values.only?.split(',').map(Number);
  const isChosen = ({ row }: { row: number }) => rows === undefined || rows.includes(row);
  if (values.defects) return tryDefects(isChosen);
  const sizeOf = ({ full }: Scenario) => Number(values.size ?? Math.max(1, Math.round(full * Number(values.scale))));
  const chosen = SCENARIOS.filter(isChosen);
  const amount = values.size === undefined ? `--scale=${values.scale}` : `--size=${values.size}`;
  const runs = values.json ? await runHere(chosen, sizeOf) : await runInLanes(chosen, sizeOf, amount);
  const broken = runs.flatMap(({ claims }) => claims).filter(({ holds }) => !holds);
  for (const { what, found } of values.json ? [] : broken) process.stdout.write(`does not hold: ${what}: ${found}\n`);
  if (broken.some(({ dependsOnSpeed }) => !dependsOnSpeed)) process.exitCode = 1;
}

type SizeOf = (scenario: Scenario) => number;

async function runHere(scenarios: readonly Scenario[], sizeOf: SizeOf): Promise<Run[]> {
  const runs: Run[] = [];
  for (const scenario of scenarios)
    runs.push(await runScenario(scenario, sizeOf(scenario), readSeed(randomInt(2 ** 32))));
  process.stdout.write(`${JSON.stringify(runs)}\n`);
  return runs;
}

/**
 * Each row runs in its own process and is written to the report when it is done; a failed row does not stop the others.
 * `amount` is the option that makes each scenario's size there what `sizeOf` says here.
 */
async function runInLanes(scenarios: readonly Scenario[], sizeOf: SizeOf, amount: string): Promise<Run[]> {
  const all: Run[] = [];
  const runAndKeep = async (ofRow: readonly Scenario[]) => {
    const [{ row }] = ofRow as [Scenario];
    const commit = readCommit(REPOSITORY);
    const startedAt = performance.now();
    const { runs, lines } = await runRow(REPOSITORY, row, [amount]).catch((error: Error) => ({
      runs: ofRow.map((scenario) => didNotEnd(error, sizeOf(scenario), startedAt)),
      lines: [`reliability ${row}: ${error.message}`],
    }));
    process.stdout.write(`${lines.join('\n')}\n`);
    all.push(...runs);
    for (const [index, run] of runs.entries()) keep(ofRow[index] as Scenario, run, commit);
  };
  const tasksOf = (chosen: readonly Scenario[]) =>
    [...Map.groupBy(chosen, ({ row }) => row).values()].map((ofRow) => () => runAndKeep(ofRow));
  await inLanes(LANES, tasksOf(scenarios.filter(({ alone }) => !alone)));
  await inLanes(1, tasksOf(scenarios.filter(({ alone }) => alone)));
  return all;
}

async function tryDefects(isChosen: (defect: { row: number }) => boolean): Promise<void> {
  const tryOne = async (defect: Defect) => {
    const commit = readCommit(REPOSITORY);
    const tried = { ...(await tryDefect(defect)), commit };
    process.stdout.write(
      `${tried.red ? 'noticed' : 'NOT NOTICED'}: ${tried.name} (row ${tried.row}): ${tried.found}\n`,
    );
    const results = readResults();
    write({ ...results, defects: [...results.defects.filter(({ name }) => name !== tried.name), tried] });
    if (!tried.red) process.exitCode = 1;
  };
  await inLanes(
    LANES,
    DEFECTS.filter(isChosen).map((defect) => () => tryOne(defect)),
  );
}

/** A run smaller than a full one is not significant enough for the report. */
function keep({ row, title, unit, full }: Scenario, run: Run, commit: string): void {
  if (run.size < full) return;
  const day = new Date().toISOString().slice(0, 10);
  const results = readResults();
  const others = results.runs.filter((other) => other.row !== row || other.title !== title);
  write({ ...results, runs: [...others, { ...run, row, title, unit, full, day, commit, machine: describeMachine() }] });
}

function readResults(): Results {
  return existsSync(DATA) ? (JSON.parse(readFileSync(DATA, 'utf8')) as Results) : { runs: [], defects: [] };
}

function write(results: Results): void {
  writeFileSync(DATA, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(REPORT, renderReport(results, readFileSync(REMARKS, 'utf8').trim()));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
