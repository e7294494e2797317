import { Link } from '@tanstack/react-router';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { Meaning } from '../../components/meaning.tsx';
import { Panel } from '../../components/panel.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { Sentence } from '../../components/sentence.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import type { InputOf, OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import { count } from '../../format/numbers.ts';
import { capitalised, meaningOf, words } from '../../format/words.ts';
import { pageOfProblem } from '../problems/problem.ts';
import styles from './account.module.css';

type OpenRefusal = OutputOf<'accounts.getMasked'>['refusals'][number];

/** What keeps an account from being complete: it stands before everything else. */
export function OpenRefusals({ account }: { account: OutputOf<'accounts.getMasked'> }) {
  const { import_supplier: code, external_account_number, state, refusals } = account;
  const mayDismiss = useMayChange() && state === 'COMPLETED';
  if (refusals.length === 0) return null;
  return (
    <div className={styles.part}>
      <Panel title="Refused or doubtful, and not corrected since">
        <ul className={styles.list}>
          {refusals.map((refusal) => (
            <li key={`${refusal.operation} ${refusal.code}`} className={styles.refusal}>
              <h3>
                {capitalised(words(refusal.operation))}
                {refusal.refused && refusal.detail !== null && ` ${Object.keys(refusal.detail).join(', ')}`}:{' '}
                {words(refusal.code)}
                {!refusal.refused && ' (accepted and remarked)'}
              </h3>
              <Meaning code={refusal.code} refused={refusal.refused} />
              <Fields code={code} refusal={refusal} />
              {!refusal.refused && refusal.detail !== null && (
                <p>
                  {Object.entries(refusal.detail)
                    .map(([name, value]) => `${capitalised(words(name))}: ${value}`)
                    .join(', ')}
                </p>
              )}
              <p className={text.faint}>
                {refusal.times === 1 ? 'Once,' : `${count(refusal.times)} times, last`}{' '}
                <Time at={refusal.last_seen_at} />, request <RequestId id={refusal.request_id} />
              </p>
              {mayDismiss && refusal.refused && (
                <div>
                  <DismissRefusal one={{ code, external_account_number }} refusal={refusal} />
                </div>
              )}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

/** Problems name no place in a list: `customers.*.email`. */
const INDEX = /(^|\.)\d+(?=\.|$)/g;

function Fields({ code, refusal }: { code: string; refusal: OpenRefusal }) {
  const { operation, refused, errors } = refusal;
  return (
    <ul>
      {errors.map((error) => (
        <li key={`${error.attr} ${error.code}`}>
          {error.attr !== '' && (
            <>
              Field <code>{error.attr}</code>
            </>
          )}{' '}
          {error.code !== refusal.code && <Sentence>{meaningOf(error.code).when}</Sentence>}{' '}
          <Link {...pageOfProblem(code, { ...error, operation, refused, attr: error.attr.replace(INDEX, '$1*') })}>
            Other accounts with it<span className={text.spoken}>: {error.attr}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface DismissRefusalProps {
  one: Pick<InputOf<'accountImports.dismissRefusal'>, 'code' | 'external_account_number'>;
  refusal: OpenRefusal;
}

/** Resolves what is not to come, with a reason. */
function DismissRefusal({ one, refusal }: DismissRefusalProps) {
  const dismiss = useAction('accountImports.dismissRefusal');
  const { operation, request_id } = refusal;
  return (
    <ConfirmButton
      label="Dismiss"
      title={`Dismiss: ${words(operation)} refused`}
      perform={(reason) => dismiss.mutateAsync({ ...one, operation, request_id, reason })}
      reason="required"
    >
      The account counts as complete without what was refused, unless something else is open. Nothing is stored. The
      audit trail keeps your reason.
    </ConfirmButton>
  );
}
