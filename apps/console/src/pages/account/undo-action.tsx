import { ConfirmButton } from '../../components/dialog-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Time } from '../../components/time.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useLive } from '../../data/use-live.ts';
import { useMayChange } from '../../data/use-role.ts';
import { money } from '../../format/money.ts';
import { count } from '../../format/numbers.ts';

interface UndoActionProps {
  account: OutputOf<'accounts.getMasked'>;
  imported: OutputOf<'accountImports.get'> | undefined;
}

const HOUR_MS = 3_600_000;

/** Takes an account back while that is possible: what is stored of it is shown, and its number typed. */
export function UndoAction({ account, imported }: UndoActionProps) {
  const { import_supplier: code, external_account_number: number, account_created_at: created, figures } = account;
  const mayChange = useMayChange();
  const { data: supplier } = useLive(ask('importSuppliers.get', { code }));
  const undo = useAction('accountImports.undo');
  const hours = supplier?.undo_hours ?? 0;
  const end = created === null ? 0 : Date.parse(created) + hours * HOUR_MS;
  const isKept = imported === undefined || imported.adopted_at !== null || account.erased_at !== null;
  return (
    <ConfirmButton
      label="Undo"
      name="Undo this account"
      shortcut="u"
      isAllowed={mayChange && !isKept && supplier?.status !== 'COMPLETE' && Date.now() < end}
      title={`Undo ${number} of ${code}`}
      typed={number}
      reason="required"
      perform={(reason) => undo.mutateAsync({ code, external_account_number: number, reason })}
    >
      <p>
        Everything that was imported into the account is removed, and its number {account.service_account_number} is
        never given to another one. Customers who were told of the number are told that it is no longer valid. This is
        possible until <Time at={new Date(end).toISOString()} />.
      </p>
      <KeyValues
        areShort
        of={[
          ['Balance handed over', account.transfer_balance && money(account.transfer_balance)],
          ['Transactions', `${count(figures.transactions.count)}, ${money(figures.transactions.sum)}`],
          ['Statements', `${count(figures.statements.count)}, ${money(figures.statements.gross_total)}`],
          ['Notes', count(figures.notes)],
          ['Payment instructions', count(figures.payment_instructions)],
        ]}
      />
    </ConfirmButton>
  );
}
