import { severalCurrencies } from '../convert/one-supplier.ts';
import { sentencesOf } from '../convert/suspicions.ts';
import type { Ending } from '../frame/failure.ts';
import type { Output } from '../frame/output.ts';
import { summaryLines as problemSummary } from '../jobs/describe-problems.ts';
import { quoted, tableLines, visible, wrapped } from '../terminal/lines.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import type { Cluster, Sum, TotalFindings } from './findings.ts';
import type { CheckSettings } from './read-settings.ts';
import { FAILED, RESULTS } from './report-files.ts';

/** What a validation came to. */
export interface Outcome {
  files: readonly string[];
  folder: string;
  settings: CheckSettings;
  total: TotalFindings;
  /** Whose settings the service was asked for. */
  likeSupplier: string | undefined;
  ending: Ending & ('done' | 'refused' | 'tooManyRefused' | 'interrupted');
}

const SHOWN_CLUSTERS = 20;

/** For programs: `--json`, and summary.json of the report. */
export function documentOf({ files, folder, settings, total, ending }: Outcome): object {
  const { lines, refused, clusters, sums, balances, currencies } = total;
  const money = Object.entries(sums).map(([name, { count, amount }]) => [name, { count, amount: amountText(amount) }]);
  return {
    files,
    complete: ending === 'done' || ending === 'refused',
    settings,
    lines,
    accepted: lines - refused,
    refused,
    problems: clusters,
    accepted_sums: Object.fromEntries(money),
    currencies: Object.fromEntries(currencies),
    unexplained_balances: balances.map(({ sentence, values, accounts }) => ({
      detail: `The value ${sentence}.`,
      accounts: values,
      samples: accounts,
    })),
    report: folder,
  };
}

/** For people. */
export function summaryLines(outcome: Outcome, output: Output): string[] {
  const { settings, total } = outcome;
  const { supplier, country, today } = settings;
  const { lines, refused, clusters } = total;
  return [
    `Checked ${counted(lines, 'line')} with the settings of ${supplier} (${country}, ${today}): ${grouped(lines - refused)} accepted, ${grouped(refused)} refused.`,
    ...(clusters.length > 0 ? [''] : []),
    ...problemSummary(clusters.map(asProblem), output.columns, { most: SHOWN_CLUSTERS, others: 'see summary.json' }),
    ...sumLines(total.sums, supplier),
    ...separated(severalCurrencies(total.currencies, country), output.columns),
    ...balanceLines(total.balances, output.columns),
    '',
    ...nextLines(outcome),
  ];
}

const asProblem = ({ step, samples, ...cluster }: Cluster) => ({
  ...cluster,
  ...{ operation: step, sample_account_numbers: samples },
});

/** A cluster in a row of the live block. */
export function clusterRows(clusters: readonly Cluster[]): string[][] {
  return clusters.map(({ accounts, code, attr }) => ['         ', grouped(accounts), code, visible(attr)]);
}

function sumLines(sums: Readonly<Record<string, Sum>>, supplier: string): string[] {
  const rows = Object.entries(sums)
    .filter(([, { count }]) => count > 0)
    .map(([name, { count, amount }]) => ['', name, grouped(count), amount === 0n ? '' : grouped(amountText(amount))]);
  return rows.length === 0 ? [] : ['', `Would move, of ${supplier}:`, ...tableLines(rows, [2, 3])];
}

/** As `convert` says it. */
function balanceLines(balances: TotalFindings['balances'], columns: number): string[] {
  return separated(
    balances.map((one) => `${one.column}: ${sentencesOf(one)}`),
    columns,
  );
}

const separated = (sentences: readonly string[], columns: number) =>
  sentences.length === 0 ? [] : ['', ...sentences.flatMap((sentence) => wrapped(sentence, columns, '    '))];

function amountText(hundredths: bigint): string {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const FOREIGN =
  'A book is for one import supplier. Convert those of each by themselves, with --only-supplier and the mapping.';

function nextLines({ files, folder, settings, likeSupplier, total, ending }: Outcome): string[] {
  const move = `  causeway move ${files.map(quoted).join(' ')} --supplier ${quoted(settings.supplier)} --team "Migration Operations"`;
  const isForeign = total.clusters.some(({ attr, code }) => attr === 'import_supplier' && code === 'invalid_choice');
  const failed = quoted(`${folder}/${FAILED}`);
  const correct = [
    ...(isForeign ? [FOREIGN] : []),
    `Each refused line is in ${failed} with its errors; ${RESULTS} beside it has their sentences.`,
    'Correct the lines there, below "data", and check them again:',
    `  causeway validate ${failed} ${likeSupplier === undefined ? `--supplier ${quoted(settings.supplier)} --country ${settings.country}` : `--like-supplier ${quoted(likeSupplier)}`}`,
  ];
  if (ending === 'interrupted')
    return ['Stopped. What was checked so far is in the report.', ...(total.refused > 0 ? correct : [])];
  if (ending === 'tooManyRefused')
    return ['Stopped at --max-refused: the lines after that were not checked.', ...correct];
  if (ending === 'done') return ['Next, move it:', move];
  return [...correct, 'Accepted lines can be moved meanwhile; those refused stay behind:', move];
}
