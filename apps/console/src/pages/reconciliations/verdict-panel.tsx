import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import { Sentence } from '../../components/sentence.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { count, counted, share } from '../../format/numbers.ts';
import { dateTime } from '../../format/times.ts';
import { differencesOf, figureName, inOrder, type Reconciliation } from './figures.ts';
import styles from './verdict-panel.module.css';

interface VerdictPanelProps {
  reconciliation: Reconciliation;
  manifest: OutputOf<'dataImport.manifest'> | undefined;
}

/** The verdict in a sentence, who has accepted it, and what exactly it is about. */
export function VerdictPanel({ reconciliation, manifest }: VerdictPanelProps) {
  const { state, covered, accounts, signed_off } = reconciliation;
  return (
    <Panel title="Verdict">
      <p className={styles.sentence}>{sentenceOf(reconciliation)}</p>
      {state === 'FINISHED' && <SignedOff of={signed_off} />}
      {covered !== null && accounts !== null && <Counts of={covered.accounts} byKind={accounts} />}
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

interface CountsProps {
  of: NonNullable<Reconciliation['covered']>['accounts'];
  byKind: NonNullable<Reconciliation['accounts']>;
}

/** How many accounts there are on either side, and below it how many of them differ, each in one way. */
function Counts({ of: { expected, created, both }, byKind }: CountsProps) {
  return (
    <>
      <KeyValues
        areShort
        of={[
          ['Claimed', counted(expected, 'account')],
          ['Created here', counted(created, 'account')],
          ['On both sides', counted(both, 'account')],
        ]}
      />
      <KeyValues
        areShort
        of={[
          ['Never arrived', count(byKind.missing)],
          ['Not created', count(byKind.not_created)],
          ['Skipped', count(byKind.skipped)],
          ['A figure differs', count(byKind.different)],
          ['Not in the manifest', count(byKind.extra)],
        ]}
      />
    </>
  );
}

function sentenceOf(reconciliation: Reconciliation): string {
  const { state, verdict, finished_at, ranges, ranges_done, moved_ranges } = reconciliation;
  const at = finished_at === null ? '' : dateTime(finished_at);
  if (state === 'CANCELLED') return `It was cancelled at ${at}, without a verdict.`;
  if (verdict === null)
    return `${count(ranges_done)} of ${counted(ranges, 'range')} compared (${share(ranges_done, ranges)}).`;
  if (verdict === 'EQUAL')
    return `Equal, as of ${at}: the same accounts on both sides, and every claimed figure to the penny.`;
  if (verdict === 'DIFFERENT') return `Different, as of ${at}: ${differencesOf(reconciliation)}.`;
  return `No verdict: ${counted(moved_ranges ?? 0, 'range')} kept changing while they were compared, until ${at}.`;
}

/** Which figures were compared for all accounts, which for some, and which for none. */
function coverageOf({ figures }: NonNullable<Reconciliation['covered']>): string {
  const all = inOrder(Object.entries(figures), ([name]) => name);
  const partly = all.filter(([, { claimed, unclaimed }]) => claimed > 0 && unclaimed > 0);
  const never = all.filter(([, { claimed }]) => claimed === 0).map(([name]) => figureName(name).toLowerCase());
  return [
    `Every figure in the totals was compared for every claimed account${partly.length === 0 ? '.' : ', but:'}`,
    ...partly.map(
      ([name, { claimed, unclaimed }]) =>
        `${figureName(name)}: claimed for ${counted(claimed, 'account')}, not compared for ${count(unclaimed)}.`,
    ),
    never.length > 0 && `Never claimed, so not compared: ${never.join('; ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Who has accepted the outcome, why, and what that covers; or that nobody has. */
function SignedOff({ of: signedOff }: { of: Reconciliation['signed_off'] }) {
  if (signedOff === null) return <p className={styles.covered}>Nobody has signed it off yet.</p>;
  return (
    <section aria-label="Sign-off" className={styles.signed}>
      <p>
        <b>
          Signed off by {signedOff.person}, {dateTime(signedOff.at)}
        </b>
      </p>
      <p>{signedOff.note}</p>
      <p className={styles.covered}>
        Covers: <Sentence>{signedOff.covers}</Sentence>
      </p>
    </section>
  );
}
