import { asSterling, sumOf } from './money.ts';
import type { Screen } from './screen.ts';
import type { CountRow, Tally } from './tally.ts';

const INDENT = '  ';
const MAX_PROBLEMS = 10;

/** The figures of a run, for people: counts, money, refusals with their reasons, and whether it all adds up. */
export function summaryLines(tally: Tally, screen: Screen): string[] {
  return [
    '',
    ...countLines(tally.counts, screen),
    '',
    ...moneyLines(tally, screen),
    '',
    ...refusalLines(tally, screen),
    '',
    ...verdictLines(tally, screen),
  ].map((line) => (line === '' ? '' : `${INDENT}${line}`));
}

function countLines(counts: readonly CountRow[], screen: Screen): string[] {
  const head = row('', ['in the book', 'refused', 'stored', 'new']);
  const lines = counts.map(({ label, inBook, refused, stored, added }) =>
    row(
      label,
      [inBook, refused, stored, added].map((count) => count.toLocaleString('en-GB')),
    ),
  );
  return [screen.paint('bold', head), ...lines];
}

function moneyLines({ money, balancesNotTold }: Tally, screen: Screen): string[] {
  const together = {
    label: 'Together',
    sent: sumOf(money.map(({ sent }) => sent)),
    stored: sumOf(money.map(({ stored }) => stored)),
  };
  const head = row('', ['', 'money in', 'money stored', '']);
  const lines = [...money, together].map(({ label, sent, stored }) =>
    row(label, ['', asSterling(sent), asSterling(stored), sent === stored ? '=' : 'NOT THE SAME']),
  );
  const gone = `(balances of ${balancesNotTold} accounts are not told any more: the payloads that named them are removed)`;
  return [screen.paint('bold', head), ...lines, ...(balancesNotTold > 0 ? [gone] : [])];
}

function row(label: string, cells: readonly string[]): string {
  return `${label.padEnd(22)}${cells.map((cell) => cell.padStart(14)).join('')}`.trimEnd();
}

/** Accounts are refused for many reasons, so these stand two to a line. */
function refusalLines({ refusals, neverSent }: Tally, screen: Screen): string[] {
  const cells = refusals
    .filter(({ label }) => label === 'accounts')
    .map(({ code, times }) => `${String(times).padStart(3)} ${code}`.padEnd(40));
  const lines = cells.map((cell, index) =>
    index % 2 === 0 ? `${cell}${cells[index + 1] ?? ''}`.trimEnd() : undefined,
  );
  const others = refusals
    .filter(({ label }) => label !== 'accounts')
    .map(({ label, code, times }) => `${String(times).padStart(3)} ${code} (${label})`);
  const head = screen.paint('bold', 'Refused, and why');
  const { notes, transactions, statements, paymentInstruction } = neverSent;
  const rest = `notes ${notes}, transactions ${transactions}, statements ${statements}, payment instructions ${paymentInstruction}`;
  return [head, ...lines.filter((line) => line !== undefined), ...others, `    and with their accounts: ${rest}`];
}

function verdictLines(tally: Tally, screen: Screen): string[] {
  const { counts, movedTransactions, problems } = tally;
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS;
    return [
      screen.paint('red', 'This should not have happened:'),
      ...problems.slice(0, MAX_PROBLEMS).map((problem) => screen.paint('red', `✗ ${problem}`)),
      ...(more > 0 ? [screen.paint('red', `  and ${more} more`)] : []),
    ];
  }
  const moved = `✓ Transactions from before the open period, moved into it with a description that says so: ${movedTransactions}.`;
  const added = sumOf(counts.map((one) => one.added));
  const before = (counts[0]?.stored ?? 0) - (counts[0]?.added ?? 0);
  const again = `✓ ${before} accounts were already imported${added === 0 ? ': everything was already there, nothing was doubled' : ''}.`;
  return [
    ...(before > 0 ? [again] : []),
    moved,
    '✓ It adds up: in the book = refused + stored; asked again, the service holds every penny sent.',
  ].map((line) => screen.paint('green', line));
}
