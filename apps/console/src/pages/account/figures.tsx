import { Panel } from '../../components/panel.tsx';
import text from '../../components/text.module.css';
import type { OutputOf } from '../../data/ask.ts';
import { money } from '../../format/money.ts';
import { count } from '../../format/numbers.ts';
import styles from './account.module.css';
import { stagedFigures } from './staged-figures.ts';

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
      <p className={text.faint}>
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
const OWN_NOTE = ' The extra note is from the service: it lists transactions whose date was moved.';

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
