import { cpus, totalmem } from 'node:os';
import type { Claim, Run, Scenario, Table } from './scenario.ts';

/** A run of one scenario of a row. */
export interface RowRun extends Run, Pick<Scenario, 'row' | 'title' | 'unit' | 'full'> {
  /** Short, with `+` for uncommitted changes. */
  commit: string;
}

const MACHINE = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`;

const MAX_FOUND_LENGTH = 300;

/** docs/figures/reliability.md. The remarks are hand-written Markdown on why something does not hold. */
export function renderReport(runs: readonly RowRun[], remarks: string): string {
  const rows = runs.toSorted((one, other) => one.row - other.row);
  return [
    '# Reliability',
    '',
    'Written by `npx pnpm@12 torture`; do not edit. Each row is a scenario of `tools/reliability/src/scenarios`, and a number',
    'that is missing here is given to no other row. `npx pnpm@12 torture --short` runs all of them in their short form, and',
    '`SEED=<seed> npx pnpm@12 torture <row>` draws the same again. Service, database, clients and faults shared one machine.',
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
  ].join('\n');
}

function renderRow(run: RowRun): string[] {
  const { row, title, seed = 'unknown', seconds, commit, claims, table } = run;
  const day = new Date().toISOString().slice(0, 10);
  return [
    `### ${row}. ${title}`,
    '',
    `${amountOf(run)}, seed ${seed}, ${seconds} s, ${day}, commit ${commit}, ${MACHINE}`,
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

const amountOf = ({ size, unit }: RowRun): string => `${size.toLocaleString('en')} ${unit}`;

function verdictOf(claims: readonly Claim[]): string {
  const broken = claims.filter(({ holds }) => !holds);
  if (broken.length === 0) return 'yes';
  return `**no**: ${cell(broken.map(({ what, found }) => `${what}: ${found}`).join('; '))}`;
}

function cell(text: string): string {
  const short = text.length > MAX_FOUND_LENGTH ? `${text.slice(0, MAX_FOUND_LENGTH)} ...` : text;
  return short.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}
