import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { DEFECTS } from './defects.ts';
import { describeMachine, type Results, type RowRun, renderReport } from './render-report.ts';
import { type Run, runScenario } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';
import { REPOSITORY, tryDefect } from './try-defect.ts';

const HELP = `npx pnpm@12 torture [options]: proves what the service promises, and writes docs/reliability.md.
  --only=4,5     these rows of its table; of the defects, those tried on these rows
  --scale=0.1    this share of each scenario; a smaller run is printed and not written
  --size=3       this much of each scenario, in its own unit; likewise
  --defects      plants known defects in copies of the repository: the scenarios have to notice
  --json         prints the runs as JSON and writes nothing
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

const DATA = path.join(REPOSITORY, 'docs/reliability.json');
const REPORT = path.join(REPOSITORY, 'docs/reliability.md');

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const rows = values.only?.split(',').map(Number);
  const isChosen = ({ row }: { row: number }) => rows === undefined || rows.includes(row);
  if (values.defects) return tryDefects(isChosen);
  const scale = Number(values.scale);
  const sizeOf = ({ full }: Scenario) => Number(values.size ?? Math.max(1, Math.round(full * scale)));
  const runs: Run[] = [];
  for (const scenario of SCENARIOS.filter(isChosen)) {
    const run = await runScenario(scenario, sizeOf(scenario));
    runs.push(run);
    if (values.json || run.size < scenario.full) continue;
    const { row, title, unit, full } = scenario;
    const day = new Date().toISOString().slice(0, 10);
    keep({ ...run, row, title, unit, full, day, machine: describeMachine() });
  }
  if (values.json) process.stdout.write(`${JSON.stringify(runs)}\n`);
  const broken = runs.flatMap(({ claims }) => claims).filter(({ holds }) => !holds);
  for (const { what, found } of broken) process.stdout.write(`does not hold: ${what}: ${found}\n`);
  process.exitCode = broken.every(({ dependsOnSpeed }) => dependsOnSpeed) ? 0 : 1;
}

async function tryDefects(isChosen: (defect: { row: number }) => boolean): Promise<void> {
  for (const defect of DEFECTS.filter(isChosen)) {
    const tried = await tryDefect(defect);
    process.stdout.write(
      `${tried.red ? 'noticed' : 'NOT NOTICED'}: ${tried.name} (row ${tried.row}): ${tried.found}\n`,
    );
    const results = readResults();
    write({ ...results, defects: [...results.defects.filter(({ name }) => name !== tried.name), tried] });
    if (!tried.red) process.exitCode = 1;
  }
}

function keep(run: RowRun): void {
  const results = readResults();
  const others = results.runs.filter(({ row, title }) => row !== run.row || title !== run.title);
  write({ ...results, runs: [...others, run] });
}

function readResults(): Results {
  return existsSync(DATA) ? (JSON.parse(readFileSync(DATA, 'utf8')) as Results) : { runs: [], defects: [] };
}

function write(results: Results): void {
  writeFileSync(DATA, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(REPORT, renderReport(results));
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(2);
});
