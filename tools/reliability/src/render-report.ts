import { cpus, totalmem } from 'node:os';
import type { Claim, Run, Scenario, Table } from './scenario.ts';
import type { Tried } from './try-defect.ts';

/**
 * What docs/figures/reliability.json keeps between runs: the last run of each scenario, the last try of each defect.
 */
export interface Results {
  runs: RowRun[];
  defects: (Tried & AtCommit)[];
}

interface AtCommit {
  /** Short, with `+` for uncommitted changes. */
  commit: string;
}

interface RowRun extends Run, AtCommit, Pick<Scenario, 'row' | 'title' | 'unit' | 'full'> {
  /** YYYY-MM-DD */
  day: string;
  machine: string;
}

export function describeMachine(): string {
  return `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;
}

const MAX_FOUND_LENGTH = 300;

/** docs/figures/reliability.md. The remarks are hand-written Markdown on why something does not hold. */
export function renderReport({ runs, defects }: Results, remarks: string): string {
  const rows = runs.toSorted((one, other) => one.row - other.row);
  return [
    '# Reliability',
    '',
    'Written by `npx pnpm@12 torture`; do not edit. Each row is a scenario of `tools/reliability/src/scenarios`; its short form runs',
    'with the tests. `SEED=<seed> npx pnpm@12 torture --only=<row>` draws the same again. Service, database, clients and',
    'faults shared one machine.',
    '',
    '## Figures',
    '',
    '| # | what | how much | figures | holds |',
    '|---|---|---|---|---|',
    ...rows.map(
      (run) => `| ${run.row} | ${run.title} | ${amountOf(run)} | ${cell(run.figures)} | ${verdictOf(run.claims)} |`,
    ),
    '',
    ...(remarks === '' ? [] : [remarks, '']),
    ...rows.flatMap(renderRow),
    '## Defects tried',
    '',
    'Each was planted in a copy of the repository (`npx pnpm@12 torture --defects`): the scenario has to notice.',
    '',
    '| defect | row | noticed | as | commit |',
    '|---|---|---|---|---|',
    ...defects.map(
      ({ name, row, red, found, commit }) =>
        `| ${cell(name)} | ${row} | ${red ? 'yes' : '**no**'} | ${cell(found)} | ${commit} |`,
    ),
    '',
  ].join('\n');
}

function renderRow(run: RowRun): string[] {
  const { row, title, seed = 'unknown', seconds, day, commit, machine, claims, table } = run;
  return [
    `### ${row}. ${title}`,
    '',
    `${amountOf(run)}, seed ${seed}, ${seconds} s, ${day}, commit ${commit}, ${machine}`,
    '',
    '| promise | found | holds |',
    '|---|---|---|',
    ...claims.map(({ what, found, holds }) => `| ${cell(what)} | ${cell(found)} | ${holds ? 'yes' : '**no**'} |`),
    '',
    ...(table === undefined ? [] : renderTable(table)),
  ];
}

function renderTable({ head, rows }: Table): string[] {
  const lineOf = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf), ''];
}

function amountOf({ size, unit, full }: RowRun): string {
  const amount = `${size.toLocaleString('en')} ${unit}`;
  return size < full ? `${amount} (of ${full.toLocaleString('en')})` : amount;
}

function verdictOf(claims: readonly Claim[]): string {
  const broken = claims.filter(({ holds }) => !holds);
  if (broken.length === 0) return 'yes';
  return `**no**: ${cell(broken.map(({ what, found }) => `${what}: ${found}`).join('; '))}`;
}

function cell(text: string): string {
  const short = text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH)} ...` : text;
  return short.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
