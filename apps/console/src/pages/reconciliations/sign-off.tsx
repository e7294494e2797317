import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ask } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { differencesOf, type Reconciliation } from './figures.ts';

/** Accepts the outcome, in the name of the person whose key is used. */
export function SignOff({ reconciliation }: { reconciliation: Reconciliation }) {
  const { id, import_supplier, verdict } = reconciliation;
  const [isOpen, setOpen] = useState(false);
  const signOff = useAction('reconciliations.signOff');
  const { data: me } = useQuery(ask('session.whoAmI', undefined));
  useShortcut('s', 'Sign off', () => setOpen(true));
  const title = `Sign off the reconciliation of ${import_supplier}`;
  const isPerson = typeof me?.person === 'string';
  return (
    <>
      <Button variant="primary" shortcut="s" onPress={() => setOpen(true)}>
        Sign off
      </Button>
      <Dialog title={title} isOpen={isOpen && !isPerson} onOpenChange={setOpen}>
        <p>
          Your key names no person, so it cannot sign. Log in with a key that was issued to you: an administrator issues
          one under <Link to="/keys">API keys</Link>.
        </p>
      </Dialog>
      <ConfirmDialog
        title={title}
        confirm="Sign off"
        isOpen={isOpen && isPerson}
        onOpenChange={setOpen}
        typed={import_supplier}
        reason="required"
        perform={(note) => signOff.mutateAsync({ id, note })}
      >
        <p>
          You sign as {me?.person}. The verdict is “{verdict?.toLowerCase()}”, with {differencesOf(reconciliation)}.
          Your reason becomes part of the signed report, and cannot be changed.
        </p>
      </ConfirmDialog>
    </>
  );
}
