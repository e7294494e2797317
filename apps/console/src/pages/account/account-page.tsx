import { getRouteApi, Link } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { refusalText } from '../../data/refusal-text.ts';
import { useLive } from '../../data/use-live.ts';
import { money } from '../../format/money.ts';
import { count } from '../../format/numbers.ts';
import styles from './account.module.css';
import { AccountHeader } from './account-header.tsx';
import { OpenRefusals } from './open-refusals.tsx';
import { Payload } from './payload.tsx';
import { stagedFigures } from './staged-figures.ts';
import { StoredRows } from './stored-rows.tsx';
import { Timeline } from './timeline.tsx';
import { useTimeline } from './use-timeline.ts';

interface FiguresProps {
  account: OutputOf<'accounts.getMasked'>;
  /** As it was staged last; null when it was removed, undefined while it is read. */
  payload: Record<string, unknown> | null | undefined;
}

/** What was staged with the account beside what is stored now. */
export function Figures({ account: { figures, state }, payload }: FiguresProps) {
  const staged = payload ? stagedFigures(payload) : undefined;
  const { transactions, statements, notes, payment_instructions } = figures;
  const rows = [
    ['Transactions', staged?.transactions.count, transactions.count],
    ['Sum of transactions', staged?.transactions.sum, transactions.sum],
    ['Statements', staged?.statements.count, statements.count],
    ['Gross total of statements', staged?.statements.sum, statements.gross_total],
    ...withoutAmount(staged?.statements.withoutAmount, statements.without_gross_amount ?? 0),
    ['Notes', staged?.notes, notes],
    ['Payment instructions', staged?.payment_instructions, payment_instructions],
  ] as const;
  const hasSent = payload === undefined || rows.some(([, sent]) => sent !== undefined && !isNothing(sent));
  const isEmpty = rows.every(([, , kept]) => isNothing(kept));
  return (
    <Panel title={hasSent ? 'Sent and stored' : 'Stored'}>
      <table className={styles.figures}>
        {hasSent && (
          <thead>
            <tr>
              <td />
              <th scope="col">With the account</th>
              <th scope="col">Stored</th>
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(([name, sent, stored]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {hasSent && <td>{isNothing(sent) ? '–' : shown(sent)}</td>}
              <td>{shown(stored)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.faint}>
        {state === 'COMPLETED' ? originOf(payload, hasSent, isEmpty) : NOT_CREATED}
        {state === 'COMPLETED' && notes > 0 && OWN_NOTE}
      </p>
    </Panel>
  );
}

/** Statements that are not in the gross total: a row only if there are any. */
function withoutAmount(sent: number | undefined, stored: number) {
  return (sent ?? 0) + stored === 0 ? [] : [['Statements without an amount', sent, stored] as const];
}

const NOT_CREATED = 'Nothing is stored before the account is created.';
const OWN_NOTE = ' A note that nobody sent is the service’s: it names transactions whose date was moved.';

/** Where what is stored has come from. */
function originOf(payload: FiguresProps['payload'], hasSent: boolean, isEmpty: boolean): string {
  if (payload === null) return 'The staged data was removed after its time; what is stored stays.';
  if (isEmpty) return 'Nothing of this is stored.';
  const what = hasSent ? 'What is stored beyond what was sent with the account' : 'All of it';
  return `${what} came by separate imports: see the timeline.`;
}

/** What did not come with the account came otherwise, or none of it exists. */
function isNothing(sent: string | number | undefined): boolean {
  return Number(sent) === 0;
}

function shown(value: string | number | undefined): string {
  if (value === undefined) return '–';
  return typeof value === 'number' ? count(value) : money(value);
}

const route = getRouteApi('/shell/accounts/$code/$number');

/** What happened to it, and who did it? */
export function AccountPage() {
  const { code, number } = route.useParams();
  // Nothing of the account before stays under the heading of the next one.
  return <Account key={`${code}/${number}`} code={code} number={number} />;
}

interface AccountProps {
  code: string;
  number: string;
}

function Account({ code, number }: AccountProps) {
  const one = { code, external_account_number: number };
  const stored = useLive(ask('accounts.getMasked', one));
  const imported = useLive(ask('accountImports.get', { ...one, masked: true }));
  const isMissing = refusalText(stored.error).code === 'account_not_found';
  if (isMissing) return <NeverStaged code={code} number={number} />;
  return (
    <Read of={stored}>
      {(account) => (
        <>
          <AccountHeader account={account} imported={imported.data} updatedAt={stored.dataUpdatedAt} />
          <OpenRefusals account={account} />
          <div className={styles.columns}>
            <Timeline code={code} number={number} />
            <div className={styles.column}>
              <Figures account={account} payload={imported.data?.payload} />
              <StoredRows account={account} />
              <Payload account={account} />
            </div>
          </div>
        </>
      )}
    </Read>
  );
}

/** It may have been refused before it was ever staged: then that is all there is to know. Or nobody knows the number. */
function NeverStaged({ code, number }: AccountProps) {
  const timeline = useTimeline(code, number);
  const isUnknown = refusalText(timeline.error).code === 'account_not_found';
  return (
    <>
      <PageHeader title={number} question={`Nothing was ever staged under this number for ${code}.`} />
      {isUnknown ? (
        <Empty>
          <p>Nothing was refused under it either: the number may be another one.</p>
          <p>
            <Link to="/accounts">Find the customer</Link> by a name, an e-mail address or another number.
          </p>
        </Empty>
      ) : (
        <div className={styles.never}>
          {timeline.data !== undefined && <p>What was sent was refused: the reason stands below.</p>}
          <Timeline code={code} number={number} />
        </div>
      )}
    </>
  );
}
