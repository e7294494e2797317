import type { FieldError, ManifestTotals, TransactionType } from '@causeway/contracts';
import { type LineClaims, plus, type TypeFigures } from './manifest-figures.ts';

const COUNTS = ['notes', 'transactions', 'statements'] as const;
const SUMS = ['transfer_balance', 'transactions_sum', 'statements_gross'] as const;

/** What some lines of a manifest add up to: each figure with the number of lines that claim it. */
export interface AddedLines {
  accounts: number;
  counts: Partial<Record<(typeof COUNTS)[number] | 'payment_instructions', { accounts: number; sum: number }>>;
  sums: Partial<Record<(typeof SUMS)[number], { accounts: number; sum: string }>>;
  by_type?: { accounts: number; types: TypeFigures };
  /** The first accounts whose lines do not claim a figure. */
  unclaimed?: Partial<Record<string, string[]>>;
}

/** Enough to find out what such accounts have in common. */
const NAMED_ACCOUNTS = 3;

/** Adds lines up, exactly (behaviour 22.3). */
export function addLines(lines: readonly LineClaims[]): AddedLines {
  const added: AddedLines = { accounts: lines.length, counts: {}, sums: {} };
  for (const line of lines) {
    for (const figure of COUNTS) addCount(added, figure, { accounts: 1, sum: line[figure] });
    for (const figure of SUMS) addSum(added, figure, { accounts: 1, sum: line[figure] });
    const { payment_instruction: has, by_type } = line;
    addCount(added, 'payment_instructions', { accounts: 1, sum: has === undefined ? undefined : Number(has) });
    addTypes(added, { accounts: 1, types: by_type });
    nameUnclaimed(added, line);
  }
  return added;
}

/** The same of what was added up before. */
export function addParts(parts: readonly AddedLines[]): AddedLines {
  const added: AddedLines = { accounts: 0, counts: {}, sums: {} };
  for (const { accounts, counts, sums, by_type, unclaimed = {} } of parts) {
    added.accounts += accounts;
    for (const figure of [...COUNTS, 'payment_instructions'] as const) addCount(added, figure, counts[figure]);
    for (const figure of SUMS) addSum(added, figure, sums[figure]);
    addTypes(added, by_type);
    for (const [figure, names = []] of Object.entries(unclaimed)) nameAccounts(added, figure, names);
  }
  return added;
}

function nameUnclaimed(added: AddedLines, { payment_instruction: payment_instructions, ...line }: LineClaims): void {
  const claims: Record<string, unknown> = { ...line, payment_instructions };
  for (const figure of [...COUNTS, ...SUMS, 'payment_instructions', 'by_type']) {
    if (claims[figure] === undefined) nameAccounts(added, figure, [line.external_account_number]);
  }
}

function nameAccounts(added: AddedLines, figure: string, names: readonly string[]): void {
  added.unclaimed ??= {};
  const before = added.unclaimed[figure] ?? [];
  if (before.length < NAMED_ACCOUNTS) added.unclaimed[figure] = [...before, ...names].slice(0, NAMED_ACCOUNTS);
}

type Count = keyof AddedLines['counts'];
type Sum = keyof AddedLines['sums'];

function addCount(
  { counts }: AddedLines,
  figure: Count,
  { accounts, sum }: { accounts: number; sum: number | undefined } = { accounts: 0, sum: undefined },
): void {
  if (sum === undefined) return;
  const before = counts[figure] ?? { accounts: 0, sum: 0 };
  counts[figure] = { accounts: before.accounts + accounts, sum: before.sum + sum };
}

function addSum(
  { sums }: AddedLines,
  figure: Sum,
  { accounts, sum }: { accounts: number; sum: string | undefined } = { accounts: 0, sum: undefined },
): void {
  if (sum === undefined) return;
  const before = sums[figure] ?? { accounts: 0, sum: '0.00' };
  sums[figure] = { accounts: before.accounts + accounts, sum: plus(before.sum, sum) };
}

function addTypes(
  added: AddedLines,
  { accounts, types }: { accounts: number; types: TypeFigures | undefined } = { accounts: 0, types: undefined },
): void {
  if (types === undefined) return;
  added.by_type ??= { accounts: 0, types: {} };
  added.by_type.accounts += accounts;
  for (const [type, { count, amount }] of Object.entries(types) as [TransactionType, Figures][]) {
    const before = added.by_type.types[type] ?? { count: 0, amount: '0.00' };
    added.by_type.types[type] = { count: before.count + count, amount: plus(before.amount, amount) };
  }
}
type Figures = { count: number; amount: string };

/** The totals of lines: those figures that all of them claim. */
export function totalsOf({ accounts, counts, sums, by_type }: AddedLines): ManifestTotals {
  const claimed = Object.entries({ ...counts, ...sums }).filter(([, figure]) => figure.accounts === accounts);
  return {
    accounts,
    ...Object.fromEntries(claimed.map(([name, { sum }]) => [name, sum])),
    ...(by_type?.accounts === accounts && { by_type: by_type.types }),
  };
}

/**
 * Where lines do not add up to the totals that were lodged, figure by figure (behaviour 22.3). A figure of the totals
 * that some lines do not claim cannot be checked, and is one of them. `totals` are in one spelling.
 */
export function contradictions(totals: ManifestTotals, added: AddedLines): FieldError[] {
  const { accounts, by_type, ...others } = totals;
  const errors = accounts === added.accounts ? [] : [differs('accounts', accounts, added.accounts)];
  const found: Record<string, Found | undefined> = { ...added.counts, ...added.sums };
  for (const [figure, expected] of Object.entries(others)) {
    const { accounts: claiming, sum } = found[figure] ?? { accounts: 0, sum: 0 };
    if (claiming < added.accounts) errors.push(notClaimed(figure, added.accounts - claiming, added));
    else if (expected !== sum) errors.push(differs(figure, expected, sum));
  }
  return by_type === undefined ? errors : [...errors, ...contradictionsOfTypes(by_type as TypeFigures, added)];
}
type Found = { accounts: number; sum: number | string };

function contradictionsOfTypes(expected: TypeFigures, lines: AddedLines): FieldError[] {
  const { accounts, by_type: added } = lines;
  const claiming = added?.accounts ?? 0;
  if (claiming < accounts) return [notClaimed('by_type', accounts - claiming, lines)];
  const found = added?.types ?? {};
  const types = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort() as TransactionType[];
  return types.flatMap((type) => {
    const { count, amount } = expected[type] ?? { count: 0, amount: '0.00' };
    const { count: foundCount, amount: foundAmount } = found[type] ?? { count: 0, amount: '0.00' };
    return [
      ...(count === foundCount ? [] : [differs(`by_type.${type}.count`, count, foundCount)]),
      ...(amount === foundAmount ? [] : [differs(`by_type.${type}.amount`, amount, foundAmount)]),
    ];
  });
}

function differs(figure: string, total: unknown, sum: unknown): FieldError {
  const detail = `The total is ${total}, and the lines add up to ${sum}.`;
  return { detail, code: 'control_differs', attr: `totals.${figure}` };
}

function notClaimed(figure: string, lines: number, { unclaimed = {} }: AddedLines): FieldError {
  const names = unclaimed[figure] ?? [];
  const whose = names.length === 0 ? '' : ` (${names.join(', ')}${lines > names.length ? ' and others' : ''})`;
  const detail = `The total cannot be checked: ${lines === 1 ? '1 line does' : `${lines} lines do`} not claim this figure${whose}.`;
  return { detail, code: 'control_differs', attr: `totals.${figure}` };
}
