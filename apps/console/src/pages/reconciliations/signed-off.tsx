import { Sentence } from '../../components/sentence.tsx';
import { dateTime } from '../../format/times.ts';
import type { Reconciliation } from './figures.ts';
import styles from './verdict-panel.module.css';

/** Who has accepted the outcome, why, and what that covers; or that nobody has. */
export function SignedOff({ of: signedOff }: { of: Reconciliation['signed_off'] }) {
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
