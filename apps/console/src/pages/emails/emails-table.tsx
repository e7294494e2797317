import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import { sentenceOf, textOf, whomOf } from '../../format/email-words.ts';
import { count } from '../../format/numbers.ts';
import { capitalised } from '../../format/words.ts';
import { type Email, MOST_EMAILS } from './ask-emails.ts';
import styles from './emails.module.css';

const COLUMNS: readonly Column<Email>[] = [
  { name: 'Account', cell: ({ external_account_number: number }) => number },
  { name: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    name: 'Outcome',
    cell: (email) => (
      <div className={`${text.sentences} ${styles.words}`}>
        <span>
          <Sentence>{sentenceOf(email)}</Sentence>
        </span>
        {textOf(email) !== undefined && <span>{textOf(email)}</span>}
        {email.answer !== null && <code className={`${text.faint} ${styles.answer}`}>{email.answer}</code>}
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
        <p className={text.faint}>
          These are the newest {count(MOST_EMAILS)}; others are found by the number of their account.
        </p>
      )}
    </>
  );
}

/** Whether it has ended, and there is an address; the service knows whether that may get one now. */
function canBeSentAgain({ state, reason }: Email): boolean {
  return state === 'NOT_SENT' ? reason === 'SUPPRESSED' : state !== 'QUEUED' && state !== 'SENDING';
}

/** Sends an e-mail again, once it is clear what the customer has already. */
function SendAgain({ email }: { email: Email }) {
  const sendAgain = useAction('customerEmails.sendAgain');
  const whom = whomOf(email.recipient);
  const number = email.external_account_number;
  return (
    <ConfirmButton
      label="Send again"
      variant="small"
      aria-label={`Send again: ${number}, ${whom}`}
      title={`Send the e-mail about ${number} again`}
      perform={() => sendAgain.mutateAsync({ id: email.id })}
    >
      <p>It goes to {whom}.</p>
      <Consequence of={email} />
    </ConfirmButton>
  );
}

function Consequence({ of: { state, id } }: { of: Email }) {
  if (state === 'SENT') return <p>The mail server took it already: they will have it twice.</p>;
  if (state === 'REFUSED') return <p>The mail server may refuse it again, unless the cause was fixed.</p>;
  if (state === 'NOT_SENT') return <p>Its address has to be taken off the suppression list first.</p>;
  if (state !== 'IN_DOUBT') return <p>It is tried from the beginning, for two days at most.</p>;
  return (
    <p>
      The customer may have it already. The log of the mail server says so if it took a message whose Message-ID begins
      with <code>{id}</code>.
    </p>
  );
}
