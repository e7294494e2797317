import { penceOf, sumOf } from '@causeway/realistic-books';
import type { Screen } from './screen.ts';
import { DEMO } from './set-up-supplier.ts';
import { asSterling } from './sterling.ts';
import type { CountRow, Tally } from './tally.ts';

const INDENT = '  ';
const MAX_PROBLEMS = 10;
const MAX_OPEN_PROBLEMS = 3;
const MAX_COLUMNS = 100;

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
    ...problemLines(tally, screen),
    '',
    ...exampleLines(tally, screen),
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

function moneyLines({ money }: Tally, screen: Screen): string[] {
  const together = {
    label: 'Together',
    sent: sumOf(money.map(({ sent }) => sent)),
    stored: sumOf(money.map(({ stored }) => stored)),
  };
  const head = row('', ['', 'money in', 'money stored', '']);
  const lines = [...money, together].map(({ label, sent, stored }) =>
    row(label, ['', asSterling(sent), asSterling(stored), sent === stored ? '=' : 'NOT THE SAME']),
  );
  return [screen.paint('bold', head), ...lines];
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

/** The kinds of problem that most accounts have, each with one of them: what is still to fix. */
function problemLines({ openProblems }: Tally, screen: Screen): string[] {
  if (openProblems.length === 0) return [];
  const lines = openProblems.slice(0, MAX_OPEN_PROBLEMS).map((problem) => {
    const { accounts, sample_account_numbers, operation, code, attr } = problem;
    const which = `${String(accounts).padStart(3)} like ${sample_account_numbers[0] ?? ''}`;
    const line = `${which}  ${operation.padEnd(19)}  ${code}`;
    const whole = attr === '' ? line : `${line}, ${attr}`;
    return whole.length + INDENT.length > MAX_COLUMNS ? line : whole;
  });
  const kinds = counted(openProblems.length, 'kind');
  const where = ` (${kinds} of problem: GET /v1/data-import/problems/${DEMO.importSupplier}/)`;
  return [`${screen.paint('bold', 'Still to fix')}${where}`, ...lines];
}

/** One account as the service reads it back, with the figures that its database has added up. */
function exampleLines({ example, carried }: Tally, screen: Screen): string[] {
  if (!example) return [];
  const { external_account_number, service_account_number, transfer_balance, account, figures } = example;
  const { transactions, statements, notes, payment_instructions } = figures;
  const sterling = (decimal: string | null) => asSterling(penceOf(decimal ?? '0.00'));
  const points = account?.supply_addresses?.flatMap(({ meter_points = [] }) => meter_points) ?? [];
  const supplies = [...new Set(points.flatMap(({ supply_type }) => supply_type?.toLowerCase() ?? []))];
  const origin = carried > 0 ? `, one of ${carried} created with their history in one call` : '';
  const held = [
    `balance ${sterling(transfer_balance)}`,
    `${counted(transactions.count, 'transaction')} ${sterling(transactions.sum)}`,
    `${counted(statements.count, 'statement')} ${sterling(statements.gross_total)}`,
    counted(notes, 'note'),
    counted(payment_instructions, 'instruction'),
  ];
  const head = screen.paint('bold', `${external_account_number} as stored`);
  return [`${head} (${supplies.join(' and ')})${origin}:`, `  ${service_account_number}, ${held.join(', ')}`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function verdictLines(tally: Tally, screen: Screen): string[] {
  const { counts, movedTransactions, carried, problems } = tally;
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS;
    return [
      screen.paint('red', 'This should not have happened:'),
      ...problems.slice(0, MAX_PROBLEMS).map((problem) => screen.paint('red', `✗ ${problem}`)),
      ...(more > 0 ? [screen.paint('red', `  and ${more} more`)] : []),
    ];
  }
  const moved = `✓ Transactions from before the open period, moved into it with a description that says so: ${movedTransactions}.`;
  const found = carried > 0 ? `every penny is there, every field of ${carried}` : 'every penny sent is there';
  const added = sumOf(counts.map((one) => one.added));
  const before = (counts[0]?.stored ?? 0) - (counts[0]?.added ?? 0);
  const again = `✓ ${before} accounts were already imported${added === 0 ? ': everything was already there, nothing was doubled' : ''}.`;
  return [
    ...(before > 0 ? [again] : []),
    moved,
    `✓ It adds up: in the book = refused + stored; read back, ${found}.`,
  ].map((line) => screen.paint('green', line));
}
