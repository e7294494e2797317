import { describeField } from '@causeway/book';
import type { Ending } from '../frame/failure.ts';
import { summaryLines } from '../jobs/describe-problems.ts';
import { RAISE_ITS_LIMIT, TOO_LARGE_FOR_PROXY } from '../session/open-service.ts';
import { quoted } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';
import { moneyLine } from './money.ts';
import { isOfAProxy } from './refused.ts';
import type { Ended } from './run-book.ts';
import type { Tally } from './tally.ts';

/** What one book came to. */
export interface BookResult {
  file: string;
  folder: string;
  tally: Tally;
  ended: Ended;
  /** An earlier run had moved all of it. */
  wasFinished: boolean;
  document: object;
}

const SHOWN_REASONS = 10;

/** How the command ends after these books. */
export function mergedEnding(results: readonly BookResult[]): Ending {
  const ended = results.map((result) => result.ended);
  if (ended.includes('interrupted')) return 'interrupted';
  if (ended.includes('tooManyRefused')) return 'tooManyRefused';
  return results.some(({ tally }) => tally.refused > 0) ? 'refused' : 'done';
}

type Asked = {
  options: { supplier: string; team: string; dryRun?: boolean; replace?: boolean; checkPreviouslyAdded: boolean };
};

/** What is said of a book in the end; the last line is the next command to type. */
export function resultLines(result: BookResult, { options }: Asked, columns: number): string[] {
  const { tally, folder } = result;
  return [
    headOf(result, options),
    `  ${countsOf(tally)}`,
    ...(options.dryRun ? [] : [`  money    ${moneyLine(tally.money)}`]),
    ...problemLines(tally, columns),
    ...proxyLines(tally),
    ...(tally.refused > 0 ? [`  The refused lines, with their reasons: ${folder}/failed.ndjson`] : []),
    `  What happened to each line: ${folder}/results.ndjson`,
    ...nextLines(result, options),
  ];
}

/** What was refused, what was accepted and is told, and what is not as it is stored. */
function problemLines({ reasons }: Tally, columns: number): string[] {
  const problems = reasons.map(({ step, lines, samples, ...reason }) => ({
    ...reason,
    ...{ operation: step, accounts: lines, sample_account_numbers: samples },
    description: describeField(step === 'move' ? 'validate' : step, reason.attr),
  }));
  return summaryLines(problems, columns, { most: SHOWN_REASONS, others: 'see results.ndjson' }).map(
    (line) => `  ${line}`,
  );
}

/** What something else answers in the place of Causeway is no fault of the line. */
function proxyLines({ reasons }: Tally): string[] {
  const codes = new Set(reasons.map(({ code }) => code).filter(isOfAProxy));
  return [...codes].flatMap((code) =>
    code === 'status_413'
      ? [`  status_413 is not from Causeway: ${TOO_LARGE_FOR_PROXY}`, ...RAISE_ITS_LIMIT]
      : [`  ${code} is not from Causeway: look at what is in front of it, such as a proxy, not at these lines.`],
  );
}

/** What to do with the lines that were refused. */
function advice({ reasons }: Tally): string {
  if (!reasons.some(({ code }) => isOfAProxy(code))) return 'Fix these lines in place, then move them:';
  if (reasons.every(({ code }) => isOfAProxy(code))) return 'Move these lines as they are, once it lets them through:';
  return 'Fix the other lines in place, then move them all:';
}

function headOf({ file, ended, wasFinished, tally }: BookResult, { dryRun }: Asked['options']): string {
  const what = `${file}: ${grouped(tally.moved)} ${dryRun ? 'would be moved' : 'moved'}, ${grouped(tally.refused)} refused`;
  if (wasFinished) return `${file} was moved by an earlier run; nothing was done now. ${what}.`;
  const heads = { finished: 'Done.', interrupted: 'Stopped.', tooManyRefused: 'Stopped at --max-refused.' };
  return `${heads[ended]} ${what}.`;
}

function countsOf({ counts }: Tally): string {
  const said = Object.entries(counts).filter(([, lines]) => lines > 0);
  if (said.length === 0) return 'no lines';
  return said.map(([outcome, lines]) => `${outcome.replace('_', ' ')} ${grouped(lines)}`).join('   ');
}

/** As commander names them, and as they are typed: they hold for the next run too. */
const KEPT_FLAGS = Object.entries({
  url: 'url',
  apiKeyFile: 'api-key-file',
  patience: 'patience',
  concurrency: 'concurrency',
  rate: 'rate',
  maxRefused: 'max-refused',
});

function flagsOf(options: Asked['options']): string {
  const given = Object(options) as Record<string, string | undefined>;
  const kept = KEPT_FLAGS.map(([name, flag]) => (given[name] === undefined ? '' : ` --${flag} ${quoted(given[name])}`));
  return `${kept.join('')}${options.replace ? ' --replace' : ''}${options.checkPreviouslyAdded ? '' : ' --no-check-previously-added'}`;
}

function nextLines({ file, folder, ended, tally }: BookResult, options: Asked['options']): string[] {
  const { supplier, team, dryRun } = options;
  const again = (book: string) =>
    `    causeway move ${quoted(book)} --supplier ${quoted(supplier)} --team ${quoted(team)}${flagsOf(options)}`;
  if (ended === 'interrupted') return ['  Continue with the same command.'];
  if (ended === 'tooManyRefused') return ['  Continue with the same command and a higher --max-refused.'];
  if (tally.refused > 0 && dryRun) return ['  Fix these lines in the book, then try again.'];
  if (tally.refused > 0) return [`  ${advice(tally)}`, again(`${folder}/failed.ndjson`)];
  if (dryRun) return ['  Move it:', again(file)];
  return ['  Prove it:', `    causeway reconcile --supplier ${quoted(supplier)}`];
}
