import { Link } from '@tanstack/react-router';
import { Panel } from '../../components/panel.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { counted } from '../../format/numbers.ts';
import { capitalised, meaningOf, words } from '../../format/words.ts';
import styles from './account.module.css';

type OpenRefusal = OutputOf<'accounts.getMasked'>['refusals'][number];

/** What keeps an account from being complete: it stands before everything else. */
export function OpenRefusals({ code, refusals }: { code: string; refusals: readonly OpenRefusal[] }) {
  if (refusals.length === 0) return null;
  return (
    <div className={styles.refusals}>
      <Panel title="Refused, and not mended since">
        <ul className={styles.list}>
          {refusals.map((refusal) => (
            <li key={`${refusal.operation} ${refusal.code}`} className={styles.refusal}>
              <h3>
                {capitalised(words(refusal.operation))}: {words(refusal.code)}
              </h3>
              <p>
                <Sentence>{meaningOf(refusal.code).when}</Sentence>
              </p>
              <Fields code={code} refusal={refusal} />
              <p className={styles.faint}>
                {counted(refusal.times, 'time')}, last <Time at={refusal.last_seen_at} />, request{' '}
                <Link to="/accounts" search={{ q: refusal.request_id }}>
                  {refusal.request_id}
                </Link>
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Fields({ code, refusal }: { code: string; refusal: OpenRefusal }) {
  const { operation, refused, errors } = refusal;
  return (
    <ul>
      {errors.map((error) => (
        <li key={`${error.attr} ${error.code}`}>
          {error.attr !== '' && <code>{error.attr}</code>}{' '}
          {error.code !== refusal.code && <Sentence>{meaningOf(error.code).when}</Sentence>}{' '}
          <Link
            to="/migrations/$code/problems/$operation/$problem"
            params={{ code, operation, problem: error.code }}
            search={{ attr: error.attr.replace(/(^|\.)\d+(?=\.|$)/g, '$1*'), ...(!refused && { reported: true }) }}
          >
            others with it<span className={styles.spoken}>: {error.attr}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
