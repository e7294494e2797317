import { MASK } from '@causeway/contracts/codes';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { Time } from '../../components/time.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import { money } from '../../format/money.ts';
import { counted } from '../../format/numbers.ts';
import { meaningOf, words } from '../../format/words.ts';
import styles from './account.module.css';
import { Emails } from './emails.tsx';
import { UndoAction } from './undo-action.tsx';
import { useTimeline } from './use-timeline.ts';

interface AccountHeaderProps {
  account: OutputOf<'accounts.getMasked'>;
  imported: OutputOf<'accountImports.get'> | undefined;
  updatedAt: number;
}

/** Which account it is, how it stands, and what can be done with it. */
export function AccountHeader({ account, imported, updatedAt }: AccountHeaderProps) {
  const number = account.external_account_number;
  const skipReason = useSkipReason(account);
  return (
    <>
      <PageHeader
        title={number}
        tabTitle={number}
        question={sentenceOf(account, { imported, skipReason })}
        badge={
          <>
            <CopyButton text={number} name="old number" />
            <StateBadge state={account.state} />
            {account.state === 'COMPLETED' && !account.complete && <StateBadge state="part refused" tone="attention" />}
            {account.erased_at !== null && <StateBadge state="erased" />}
          </>
        }
        actions={
          account.state === 'COMPLETED' ? (
            <UndoAction account={account} imported={imported} />
          ) : (
            <SkipActions account={account} />
          )
        }
        updated={<UpdatedAgo at={updatedAt} />}
      />
      <div className={styles.part}>
        <Facts account={account} imported={imported} />
      </div>
    </>
  );
}

function Facts({ account, imported }: Omit<AccountHeaderProps, 'updatedAt'>) {
  const { import_supplier: code, external_account_number: number, service_account_number: created } = account;
  return (
    <KeyValues
      of={[
        ['New number', created === null ? undefined : <NewNumber key="new" text={created} />],
        ['Import supplier', <Migration key="supplier" code={code} />],
        ['Operations team', account.operations_team_name],
        ['Balance handed over', account.transfer_balance === null ? undefined : balanceOf(account.transfer_balance)],
        ['Staged', <Time key="staged" at={account.staged_at} />],
        ['Created', <Time key="created" at={account.account_created_at} />],
        ['Tries', imported && `staged ${times(imported.times_staged)}, attempted ${times(imported.attempts)}`],
        ['E-mails', created === null ? undefined : <Emails key="emails" code={code} number={number} />],
      ]}
    />
  );
}

function times(value: number): string {
  return value === 1 ? 'once' : counted(value, 'time');
}

/** As a statement would: whose money it is. */
function balanceOf(decimal: string): string {
  if (Number(decimal) === 0) return money(decimal);
  return `${money(decimal)} (${decimal.startsWith('-') ? 'owed' : 'in credit'})`;
}

function NewNumber({ text }: { text: string }) {
  return (
    <span className={styles.copied}>
      <span>{text}</span> <CopyButton text={text} name="new number" />
    </span>
  );
}

function Migration({ code }: { code: string }) {
  return (
    <Link to="/migrations/$code" params={{ code }}>
      {code}
    </Link>
  );
}

/** In one sentence what support tells a customer. */
function sentenceOf(
  account: AccountHeaderProps['account'],
  { imported, skipReason }: Pick<AccountHeaderProps, 'imported'> & { skipReason: string | undefined },
): string {
  const { state, complete, erased_at } = account;
  if (erased_at !== null)
    return 'Its personal data was erased. Amounts, dates and numbers stay; it accepts nothing more.';
  if (state === 'SKIPPED') return `It is not moved: ${skipReason ?? 'it was skipped'}`;
  if (state === 'COMPLETED') {
    const refused = new Set(account.refusals.filter((one) => one.refused).map(({ operation }) => words(operation)));
    if (complete) return 'It was moved, and nothing is refused.';
    return `It was moved, but not all of it: ${[...refused].join(', ')} refused.`;
  }
  if (state === 'UNDONE') return 'It was taken back, with all that was imported into it. Stage it again to move it.';
  if (state === 'STAGED') return 'Its data has arrived; nobody has tried to create it since.';
  const error = imported?.last_error;
  return error ? `Its creation failed: ${meaningOf(error.code).when}` : 'Its creation failed.';
}

/** Why it was skipped last, which the masked record hides: undefined for who only reads. */
function useSkipReason({ import_supplier, external_account_number }: AccountHeaderProps['account']) {
  const { data: entries = [] } = useTimeline(import_supplier, external_account_number);
  const reason = entries.findLast(({ event }) => event?.action === 'skipped')?.event?.detail?.reason;
  return typeof reason === 'string' && reason !== MASK ? reason : undefined;
}

/** Skips an account that is not created, or takes that back. */
function SkipActions({ account: { state, import_supplier: code, ...account } }: Pick<AccountHeaderProps, 'account'>) {
  const mayChange = useMayChange();
  const skip = useAction('accountImports.skip');
  const unskip = useAction('accountImports.unskip');
  const isSkipped = state === 'SKIPPED';
  const verb = isSkipped ? 'Unskip' : 'Skip';
  const one = { code, external_account_number: account.external_account_number };
  return (
    <ConfirmButton
      label={verb}
      name={`${verb} this account`}
      shortcut="s"
      isAllowed={mayChange && account.erased_at === null}
      title={`${verb} ${one.external_account_number} of ${code}`}
      reason={isSkipped ? 'optional' : 'required'}
      perform={(reason) =>
        isSkipped ? unskip.mutateAsync({ ...one, ...(reason && { reason }) }) : skip.mutateAsync({ ...one, reason })
      }
    >
      {isSkipped
        ? 'It can be staged and created again, from where it was.'
        : 'It will be neither staged nor created until somebody takes this back.'}
    </ConfirmButton>
  );
}
