import type { DifferenceKind, ManifestRecord, Reconciliation, ReconciliationDifference } from '@causeway/contracts';
import type { Service } from '../session/open-service.ts';
import { tableLines, wrap } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';

/** A reconciliation that is finished, with what it was compared with. */
export interface Verdict {
  reconciliation: Reconciliation;
  manifest: Pick<ManifestRecord, 'source_system' | 'as_of' | 'computed_from_book' | 'lodged_before_load'>;
  samples: readonly Sample[];
}

/** A verdict for people: what it covers, the totals, and some differences of each kind. */
export function verdictLines({ reconciliation, manifest, samples }: Verdict): string[] {
  return [
    ...headLines(reconciliation, manifest),
    '',
    ...totalLines(reconciliation),
    ...unclaimedLines(reconciliation),
    ...samples.flatMap(sampleLines),
  ];
}

function headLines(
  { verdict, import_supplier: code, covered, moved_ranges, finished_at }: Reconciliation,
  { source_system, as_of, computed_from_book, lodged_before_load }: Verdict['manifest'],
): string[] {
  const { expected = 0, created = 0, both = 0 } = covered?.accounts ?? {};
  return [
    `${verdict}  ${code}, as of ${finished_at}`,
    `  compared with ${source_system}, as of ${as_of}`,
    `  accounts: ${grouped(expected)} in the manifest, ${grouped(created)} created, ${grouped(both)} both`,
    ...(verdict === 'MOVED'
      ? [
          `  Accounts of ${grouped(moved_ranges ?? 0)} ranges kept changing: this speaks of no one state. Compare again.`,
        ]
      : []),
    ...(computed_from_book
      ? ['  The manifest was computed from the book: it does not prove that the book is complete.']
      : []),
    ...(lodged_before_load === false ? ['  The manifest was lodged after the first account was created.'] : []),
  ];
}

/** Also where the terminal is wider: it is read, and pasted into a ticket. */
const COLUMNS = 90;
const HEADER = ['', 'in the manifest', 'stored', 'difference'];

/** What is stored beyond what is claimed has its sign, and a figure that is equal has none. */
function totalLines({ totals }: Reconciliation): string[] {
  const rows = (totals ?? []).map(({ figure, expected, actual, difference }) => {
    return [figure, grouped(expected), grouped(actual), isNothing(difference) ? '=' : grouped(signed(difference))];
  });
  return tableLines([HEADER, ...rows], [1, 2, 3]).map((line) => `  ${line}`);
}

const isNothing = (difference: string) => /^-?0(?:\.0*)?$/.test(difference);
const signed = (difference: string) => (difference.startsWith('-') ? difference : `+${difference}`);

/** EQUAL says nothing about these. */
function unclaimedLines({ covered }: Reconciliation): string[] {
  const missing = new Map<string, Set<string>>();
  for (const [figure, { claimed, unclaimed }] of Object.entries(covered?.figures ?? {}).sort()) {
    if (unclaimed === 0) continue;
    const accounts =
      claimed === 0 ? 'of no account' : `of ${grouped(claimed)} of ${grouped(claimed + unclaimed)} accounts`;
    const [name = figure] = figure.split('.');
    missing.set(accounts, (missing.get(accounts) ?? new Set()).add(name));
  }
  if (missing.size === 0) return [];
  const named = [...missing].flatMap(([accounts, names]) => {
    return [`  claimed ${accounts}:`, ...wrap([...names].join(', '), COLUMNS, '    ')];
  });
  return ['', 'Not claimed by the manifest, and therefore not compared:', ...named];
}

const MEANING: Record<DifferenceKind, string> = {
  DIFFERENT: 'a figure differs',
  EXTRA: 'created, and not in the manifest',
  MISSING: 'in the manifest, and never arrived',
  NOT_CREATED: 'arrived, and not created',
  SKIPPED: 'left out on purpose, by the service team',
};

function sampleLines({ kind, accounts, differences }: Sample): string[] {
  const rows = differences.map((one) => [`  ${one.external_account_number}`, ...explained(one)]);
  const shown = new Set(differences.map(({ external_account_number }) => external_account_number)).size;
  const more = accounts - shown;
  return [
    '',
    `${kind}  ${grouped(accounts)} ${accounts === 1 ? 'account' : 'accounts'}: ${MEANING[kind]}`,
    ...tableLines(rows, kind === 'DIFFERENT' ? [2, 4] : []),
    ...(more > 0 ? [`  and ${grouped(more)} more`] : []),
  ];
}

function explained({
  kind,
  field,
  expected,
  actual,
  problem_code,
  problem_attr,
  reason,
}: ReconciliationDifference): string[] {
  if (kind === 'DIFFERENT') return [field, figureOf(field, expected), '->', figureOf(field, actual)];
  if (kind === 'SKIPPED') return [reason ?? ''];
  if (kind === 'EXTRA') return [];
  return problem_code === null ? ['no refusal is known'] : [problem_code, problem_attr ?? ''];
}

/** A fingerprint is no amount. */
const figureOf = (field: string, value: string | null) =>
  value === null ? '-' : field === 'fingerprint' ? value : grouped(value);

/** The first differences of one kind, of so many accounts. */
export interface Sample {
  kind: DifferenceKind;
  accounts: number;
  differences: ReconciliationDifference[];
}

const MAX_DIFFERENCES = 10;
/** Those of figures first: nobody would notice them otherwise. */
const ORDER: readonly DifferenceKind[] = ['DIFFERENT', 'EXTRA', 'MISSING', 'NOT_CREATED', 'SKIPPED'];

/** Up to 10 differences of each kind that there is. */
export async function readSamples(service: Service, { id, accounts }: Reconciliation): Promise<Sample[]> {
  const kinds = ORDER.map((kind) => ({ kind, accounts: accounts?.[keyOf(kind)] ?? 0 }));
  return Promise.all(
    kinds
      .filter(({ accounts: count }) => count > 0)
      .map(async ({ kind, accounts: count }) => {
        const query = `?kind=${kind}&limit=${MAX_DIFFERENCES}`;
        return { kind, accounts: count, differences: await service.get(`reconciliations/${id}/differences/${query}`) };
      }),
  );
}

const keyOf = (kind: DifferenceKind) => kind.toLowerCase() as Lowercase<DifferenceKind>;
