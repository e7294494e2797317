import type { DifferenceKind, ReconciliationDifference } from '@causeway/contracts';
import type { Screen } from '../screen.ts';
import { differenceText } from './planted.ts';
import type { Proof } from './prove.ts';

const INDENT = '  ';
const MAX_ADDED = 3;
const MAX_UNEXPECTED = 5;
/** Those of figures first: nobody would notice them otherwise. */
const KINDS: readonly DifferenceKind[] = ['DIFFERENT', 'EXTRA', 'MISSING', 'NOT_CREATED', 'SKIPPED'];

/** What the comparison has shown, for people: the verdict, an account with each kind of difference, and if all were planted. */
export function proofLines(proof: Proof, screen: Screen): string[] {
  return [
    '',
    ...verdictLines(proof, screen),
    ...KINDS.flatMap((kind) => kindLines(kind, proof)),
    ...addedLines(proof),
    ...closingLines(proof, screen),
  ].map((line) => (line === '' ? '' : `${INDENT}${line}`));
}

function verdictLines({ manifest, reconciliation }: Proof, screen: Screen): string[] {
  const { id, verdict, covered } = reconciliation;
  const { expected = 0, both = 0 } = covered?.accounts ?? {};
  const when = manifest.lodged_before_load ? 'before the load' : 'after the load had begun';
  return [
    screen.paint('bold', `What the source has, compared with what is stored: ${verdict}`),
    `Of the ${counted(expected)} accounts in its manifest, lodged ${when}, ${counted(both)} were created. All differences:`,
    `GET /v1/data-import/reconciliations/${id}/differences/`,
  ];
}

const counted = (count: number) => count.toLocaleString('en-GB');

/** How many accounts differ like that, with one of them. */
function kindLines(kind: DifferenceKind, { reconciliation, differences }: Proof): string[] {
  const accounts = reconciliation.accounts?.[kind.toLowerCase() as Lowercase<DifferenceKind>] ?? 0;
  const [example] = differences.filter((one) => one.kind === kind).toSorted(byAccount);
  if (example === undefined) return [];
  const which = `${String(accounts).padStart(3)} like ${example.external_account_number}`;
  return [`${which}  ${kind.padEnd('NOT_CREATED'.length)}  ${explained(example)}`];
}

function byAccount(one: ReconciliationDifference, other: ReconciliationDifference): number {
  return one.external_account_number < other.external_account_number ? -1 : 1;
}

function explained(difference: ReconciliationDifference): string {
  const { kind, problem_code, reason } = difference;
  if (kind === 'DIFFERENT') return differenceText(difference);
  if (kind === 'EXTRA') return 'stored, and not in the manifest';
  return problem_code ?? reason ?? 'never sent';
}

/** A note that was added by hand, say: the manifest does not know of it. */
function addedLines({ addedSince }: Proof): string[] {
  if (addedSince.length === 0) return [];
  const more = addedSince.length - MAX_ADDED;
  return [
    'Left by an earlier run, or added by hand since:',
    ...addedSince.slice(0, MAX_ADDED).map((one) => `  ${one}`),
    ...andMore(more),
  ];
}

const andMore = (more: number) => (more > 0 ? [`  and ${more} more`] : []);

const AS_PLANTED = '✓ Only what was refused differs, and what was planted: a penny too much, and a forgotten account.';

function closingLines({ unexpected, reconciliation: { verdict } }: Proof, screen: Screen): string[] {
  if (unexpected.length === 0) {
    return [screen.paint('green', verdict === 'EQUAL' ? '✓ Every figure of every account is equal.' : AS_PLANTED)];
  }
  return [
    'This should not have happened:',
    ...unexpected.slice(0, MAX_UNEXPECTED).map((problem) => `✗ ${problem}`),
    ...andMore(unexpected.length - MAX_UNEXPECTED),
  ].map((line) => screen.paint('red', line));
}
