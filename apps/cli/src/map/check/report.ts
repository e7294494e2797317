import { severalCurrencies, severalSuppliers } from '../../convert/one-supplier.ts';
import { linesOfRemark, rowsSaid } from '../../convert/report.ts';
import { explainProblem, servicesSaid } from '../../jobs/describe-problems.ts';
import { tableLines, wrap } from '../../terminal/lines.ts';
import { counted, grouped } from '../../terminal/numbers.ts';
import type { Cluster } from '../../validate/findings.ts';
import type { CheckSettings } from '../../validate/read-settings.ts';
import type { PartlyEmpty, Unfilled, Unused } from './coverage.ts';
import { type LostRows, ZEROS } from './lost-rows.ts';
import type { MoneyTotal } from './money-totals.ts';
import type { Preview, RowFault } from './preview.ts';
import type { UnreadableKind } from './unreadable-values.ts';

/** What a check found. */
export interface Checked {
  /** What was left out of each file, and what its totals control; said when the file is read. */
  files: readonly { file: string; rows: number; left_out: readonly string[] }[];
  unused: readonly Unused[];
  unfilled: readonly Unfilled[];
  partlyEmpty: readonly PartlyEmpty[];
  /** Columns in which SQLite has made money a number, and rounded it. */
  rounded: readonly { view: string; column: string; values: number }[];
  unreadable: readonly UnreadableKind[];
  lost: readonly LostRows[];
  /** How many accounts the view has of each import supplier, and how many statements are in each currency. */
  suppliers: ReadonlyMap<string, number>;
  currencies: ReadonlyMap<string, number>;
  /** By which the first accounts were judged. */
  settings: Pick<CheckSettings, 'supplier' | 'country'>;
  totals: { views: readonly MoneyTotal[]; files: readonly MoneyTotal[] };
  /** What is wrong with rows of the view `manifest`. */
  manifest: readonly RowFault[];
  preview: Preview;
  refused: { refused: number; clusters: readonly Cluster[] };
}

const MOST = 20;
const MOST_FIELDS = 8;
const MOST_EMPTY = 3;

const OF_FILES =
  'What columns of the files add up to, each amount by its own sign; D, H and the like in another column do not count:';

/** The findings in lines, those that lose data first. */
export function linesOfCheck(
  checked: Checked,
  { preview: file, columns }: { preview: string; columns: number },
): string[] {
  const { unfilled, unused, preview, totals } = checked;
  return [
    ...linesOfLoss(checked),
    ...viewTotals(checked),
    ...section(OF_FILES, totalLines(totals.files)),
    ...section(
      'Columns that no view reads:',
      unused.map((one) => `${one.table}: ${one.columns.join(', ')}`),
    ),
    ...section(
      'Columns that some rows leave empty, those of the fewest rows first:',
      partlyEmptyLines(checked.partlyEmpty.filter((column) => !isEmpty(column))),
    ),
    ...section('Other fields that nothing fills (causeway fields tells what each is):', unfilled.flatMap(othersLine)),
    ...section('Rows that are rejected:', preview.faults.slice(0, MOST).map(faultLine)),
    ...section(
      'What convert will remark of the first accounts:',
      preview.remarks.slice(0, MOST).flatMap((remark) => linesOfRemark(remark, Number.POSITIVE_INFINITY)),
    ),
    ...section('What the service would refuse, or remark:', checked.refused.clusters.slice(0, MOST).map(clusterLine)),
    ...closing(checked, file),
  ].flatMap((line) => (line.length <= columns ? [line] : wrap(line, columns, /^ */.exec(line)?.[0] ?? '')));
}

function linesOfLoss(checked: Checked): string[] {
  const { unfilled, lost, preview } = checked;
  const required = unfilled.filter((view) => view.required.length > 0);
  return [
    ...section(
      'Required fields that nothing fills (causeway fields tells what each is):',
      required.map((one) => `${one.view}: ${one.required.join(', ')}`),
    ),
    ...section(
      'Columns of a view that are empty in all rows; does a join find nothing?',
      checked.partlyEmpty.filter(isEmpty).map(({ view, column }) => `${view}: ${column}`),
    ),
    ...section('Rows that find nothing to belong to (causeway map query looks into the files):', lost.map(lostLine)),
    ...section('Values that a function cannot read:', checked.unreadable.map(unreadableLine)),
    ...section(
      'Rows of the view manifest that claim nothing that can be read:',
      checked.manifest.slice(0, MOST).map(faultLine),
    ),
    ...section(
      'Columns in which SQLite has computed numbers, which are not exact; use sum_money, add_money and multiply_money:',
      checked.rounded.map(roundedLine),
    ),
    ...section('Views that convert refuses; they are left out below:', preview.leftOut),
  ];
}

/** Whose sums they are, and what they mix. */
function viewTotals({ suppliers, currencies, settings, totals }: Checked): string[] {
  const lines = [...severalSuppliers(suppliers), ...severalCurrencies(currencies, settings.country)];
  const whose = suppliers.size > 1 ? 'all import suppliers' : settings.supplier;
  return [
    ...lines.flatMap((line) => [line, '']),
    ...section(`What the views add up to, of ${whose}:`, totalLines(totals.views)),
  ];
}

const section = (heading: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`), ''];

function othersLine({ view, others }: Unfilled): string[] {
  if (others.length === 0) return [];
  return [`${view}: ${shortened(others, MOST_FIELDS)}`];
}

function shortened(words: readonly string[], most: number): string {
  const more = words.length > most ? `, and ${words.length - most} more: see --json` : '';
  return words.slice(0, most).join(', ') + more;
}

const isEmpty = ({ empty, rows }: PartlyEmpty) => empty === rows;

/** A line a view: a few rows without a value are more telling than many. */
function partlyEmptyLines(columns: readonly PartlyEmpty[]): string[] {
  const views = new Map<string, string[]>();
  for (const { view, column, empty, rows } of columns.toSorted((one, other) => one.empty - other.empty)) {
    views.set(view, [...(views.get(view) ?? []), `${column} (${grouped(empty)} of ${grouped(rows)})`]);
  }
  return Array.from(views, ([view, words]) => `${view}: ${shortened(words, MOST_EMPTY)}`);
}

function lostLine({ view, column, rows, unnamed, numbers, file, of, nearly }: LostRows): string {
  const near = Object.entries(nearly).map(([what, count]) => `${what} (${grouped(count)})`);
  const advice = near.some((what) => what.startsWith(ZEROS)) ? ' unpad(…) in both views makes them equal.' : '';
  const differ = `${near.join(', ')}.${advice}`;
  const from = (name: string | undefined) => (name === undefined ? '' : ` of ${name}`);
  if (!isOfAccounts({ of }))
    return `${view}.${column}: ${counted(rows, 'row')}${from(file)} with ${counted(numbers, 'value')} that ${of.view}.${of.column} has only nearly, in ${counted(of.rows, 'row')}${from(of.file)}: ${differ}`;
  const lost = [`${view}: ${counted(rows, 'row')}`];
  if (unnamed > 0) lost.push(`${grouped(unnamed)} without a number`);
  if (numbers === 0) return `${lost.join(', ')}.`;
  lost.push(`${counted(numbers, 'number')} that no account has`);
  const almost =
    near.length === 0 ? 'No account has nearly the same number.' : `Nearly the same as an account: ${differ}`;
  return `${lost.join(', ')}. ${almost}`;
}

const isOfAccounts = ({ of }: Pick<LostRows, 'of'>) => of.view === 'accounts';

function unreadableLine({ place, function: name, detail, values, shown }: UnreadableKind): string {
  const what = `${name} cannot read ${counted(values, 'distinct value')}, such as ${shown}. ${detail}`;
  if (place === undefined) return `In no row of a view: ${what}`;
  const { view, column, rows, file, line } = place;
  const first = file === undefined ? '' : ` First: ${file}${line === undefined ? '' : ` line ${line}`}.`;
  return `${view}.${column}, ${counted(rows, 'row')}: ${what}${first}`;
}

const roundedLine = ({ view, column, values }: Checked['rounded'][number]) =>
  `${view}.${column}: ${counted(values, 'value')}`;

function totalLines(totals: readonly MoneyTotal[]): string[] {
  const rows = totals.map(({ of, amounts, sum, unreadable, repeated, once }) => {
    const more = [
      ...(unreadable === 0 ? [] : [`and ${counted(unreadable, 'value')} not read`]),
      ...(repeated === 0 ? [] : [`${grouped(once)} without ${counted(repeated, 'row')} repeated word for word`]),
    ];
    return [of, grouped(amounts), grouped(sum), more.join('; ')];
  });
  return tableLines(rows, [1, 2]);
}

const faultLine = ({ view, column, detail, times }: RowFault) =>
  `${view}${column === undefined ? '' : `.${column}`}, ${counted(times, 'row')}: ${detail}`;

function clusterLine(cluster: Cluster): string {
  const what = [cluster.attr, cluster.code, servicesSaid(cluster)].filter((word) => word !== '').join(', ');
  return `${counted(cluster.accounts, 'account')} ${cluster.refused ? 'refused' : 'accepted'}: ${what}. ${explainProblem(cluster)}`;
}

function closing({ preview, refused, lost }: Checked, file: string): string[] {
  const rows = lost.filter(isOfAccounts).reduce((all, one) => all + one.rows, 0);
  const all = preview.lines.length + preview.rejected;
  const accepted = preview.lines.length - refused.refused;
  if (all === 0) return ['No account was put together: the view accounts has no rows.'];
  return [
    `Of the first ${counted(all, 'account')}, ${grouped(accepted)} would be accepted, ${grouped(refused.refused)} refused, and ${grouped(preview.rejected)} ${preview.rejected === 1 ? 'has' : 'have'} rejected rows.`,
    ...(rows === 0
      ? []
      : [
          `${rowsSaid(rows)}: convert rejects them, with the accounts that they nearly name, or leaves them out with --leave-out-unmatched.`,
        ]),
    `${file} holds the first as they would be sent: it is personal data, and only you can read it.`,
  ];
}
