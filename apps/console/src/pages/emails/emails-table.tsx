import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { useMayChange } from '../../data/use-role.ts';
import { sentenceOf, textOf, whomOf } from '../../format/email-words.ts';
import { count } from '../../format/numbers.ts';
import { capitalised } from '../../format/words.ts';
import { type Email, MOST_EMAILS } from './ask-emails.ts';
import styles from './emails.module.css';
import { canBeSentAgain, SendAgain } from './send-again.tsx';

const COLUMNS: readonly Column<Email>[] = [
  { name: 'Account', cell: ({ external_account_number: number }) => number },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    name: 'Outcome',
    cell: (email) => (
      <div className={styles.words}>
        <span>
          <Sentence>{sentenceOf(email)}</Sentence>
        </span>
        {textOf(email) !== undefined && <span>{textOf(email)}</span>}
        {email.answer !== null && <code className={styles.answer}>{email.answer}</code>}
      </div>
    ),
  },
  {
    name: 'To',
    hideBelow: 'medium',
    isWhole: true,
    // What is not sent to anybody has the account itself as its recipient.
    cell: ({ recipient }) => (recipient === 'account' ? '–' : capitalised(whomOf(recipient).replace(/^the /, ''))),
  },
  { name: 'When', hideBelow: 'medium', cell: ({ updated_at }) => <Time at={updated_at} /> },
];
const ACTION: Column<Email> = {
  name: 'Action',
  align: 'end',
  cell: (email) => (canBeSentAgain(email) ? <SendAgain email={email} /> : ''),
};

interface EmailsTableProps {
  code: string;
  emails: readonly Email[];
  empty: ReactNode;
}

/** What happened to each, in a sentence, with the words of the mail server below it. */
export function EmailsTable({ code, emails, empty }: EmailsTableProps) {
  const { steady, notice } = useSteadyRows(emails, ({ id }) => id);
  const mayChange = useMayChange();
  const hasAction = mayChange && emails.some(canBeSentAgain);
  return (
    <>
      {notice}
      <DataTable
        label={`E-mails of ${code}`}
        rows={steady}
        columns={hasAction ? [...COLUMNS, ACTION] : COLUMNS}
        keyOf={({ id }) => id}
        linkOf={({ external_account_number: number }) => ({ to: '/accounts/$code/$number', params: { code, number } })}
        hasCards
        empty={empty}
      />
      {emails.length === MOST_EMAILS && (
        <p className={styles.faint}>
          These are the newest {count(MOST_EMAILS)}; others are found by the number of their account.
        </p>
      )}
    </>
  );
}
