import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { DialogButton } from '../../components/dialog-button.tsx';
import { ask } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { differencesOf, type Reconciliation } from './figures.ts';

/** Accepts the outcome, in the name of the person whose key is used. */
export function SignOff({ reconciliation }: { reconciliation: Reconciliation }) {
  const { id, import_supplier, verdict } = reconciliation;
  const signOff = useAction('reconciliations.signOff');
  const { data: me } = useQuery(ask('session.whoAmI', undefined));
  const title = `Sign off the reconciliation of ${import_supplier}`;
  const accept = {
    ...{ title, confirm: 'Sign off', typed: import_supplier, reason: 'required' as const },
    perform: (note: string) => signOff.mutateAsync({ id, note }),
  };
  return (
    <DialogButton label="Sign off" variant="primary" shortcut="s">
      {(close) =>
        me?.person ? (
          <ConfirmDialog {...accept} onClose={close}>
            <p>
              You sign as {me.person}. The verdict is “{verdict?.toLowerCase()}”, with {differencesOf(reconciliation)}.
              Your reason becomes part of the signed report, and cannot be changed.
            </p>
          </ConfirmDialog>
        ) : (
          <Dialog title={title} onClose={close}>
            <p>
              Your key names no person, so it cannot sign. Log in with a key that was issued to you: an administrator
              issues one under <Link to="/keys">API keys</Link>.
            </p>
          </Dialog>
        )
      }
    </DialogButton>
  );
}
