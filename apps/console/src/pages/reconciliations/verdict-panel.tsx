import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { count, counted, share } from '../../format/numbers.ts';
import { dateTime } from '../../format/times.ts';
import { figureName, inOrder, type Reconciliation } from './figures.ts';
import styles from './verdict-panel.module.css';

interface VerdictPanelProps {
  reconciliation: Reconciliation;
  manifest: OutputOf<'dataImport.manifest'> | undefined;
}

/** The verdict in a sentence, and what exactly it is about. */
export function VerdictPanel({ reconciliation, manifest }: VerdictPanelProps) {
  const { covered, accounts } = reconciliation;
  return (
    <Panel title="Verdict">
      <p className={styles.sentence}>{sentenceOf(reconciliation)}</p>
      {covered !== null && accounts !== null && (
        <KeyValues
          areShort
          of={[
            ['Claimed by the source', counted(covered.accounts.expected, 'account')],
            ['Created here', counted(covered.accounts.created, 'account')],
            ['On both sides', counted(covered.accounts.both, 'account')],
            ['Never arrived', count(accounts.missing)],
            ['Not created', count(accounts.not_created)],
            ['Skipped', count(accounts.skipped)],
            ['With a figure that differs', count(accounts.different)],
            ['Not in the manifest', count(accounts.extra)],
          ]}
        />
      )}
      {covered !== null && <p className={styles.covered}>{coverageOf(covered)}</p>}
      {manifest?.computed_from_book && (
        <p className={styles.warning}>
          The manifest was computed from the book that was sent: it proves the load, not the source.
        </p>
      )}
      {manifest?.lodged_before_load === false && (
        <p className={styles.warning}>The manifest was sealed after the first account was created.</p>
      )}
    </Panel>
  );
}

function sentenceOf({ state, verdict, finished_at, ranges, ranges_done, differences, moved_ranges }: Reconciliation) {
  const at = finished_at === null ? '' : dateTime(finished_at);
  if (state === 'CANCELLED') return `It was cancelled at ${at}, without a verdict.`;
  if (verdict === null)
    return `${count(ranges_done)} of ${counted(ranges, 'range')} compared (${share(ranges_done, ranges)}).`;
  if (verdict === 'EQUAL')
    return `Equal, as of ${at}: the same accounts on both sides, and every claimed figure to the penny.`;
  if (verdict === 'DIFFERENT') return `Different, as of ${at}: ${counted(differences ?? 0, 'difference')}.`;
  return `No verdict on one state: ${counted(moved_ranges ?? 0, 'range')} kept changing while they were compared, until ${at}.`;
}

/** Which figures were compared of all accounts, and which of some. */
function coverageOf({ figures }: NonNullable<Reconciliation['covered']>): string {
  const names = (of: [string, { claimed: number; unclaimed: number }][]) =>
    of.map(([name]) => figureName(name)).join('; ');
  const claimed = inOrder(Object.entries(figures), ([name]) => name).filter(([, figure]) => figure.claimed > 0);
  const whole = claimed.filter(([, { unclaimed }]) => unclaimed === 0);
  const partly = claimed.filter(([, { unclaimed }]) => unclaimed > 0);
  return [
    whole.length > 0 && `Compared of every account that is claimed: ${names(whole)}.`,
    ...partly.map(
      ([name, { claimed: some, unclaimed }]) =>
        `${figureName(name)}: claimed of ${count(some)} accounts, not compared of ${count(unclaimed)}.`,
    ),
  ]
    .filter(Boolean)
    .join(' ');
}
