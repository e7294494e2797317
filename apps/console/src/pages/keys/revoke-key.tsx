import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';

/** Revokes a key, for good: its name has to be typed. */
export function RevokeKey({ apiKey: { id, label } }: { apiKey: OutputOf<'apiKeys.list'>[number] }) {
  const [isOpen, setOpen] = useState(false);
  const revoke = useAction('apiKeys.revoke');
  return (
    <>
      <Button variant="small" aria-label={`Revoke ${label}`} onPress={() => setOpen(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        title={`Revoke ${label}`}
        confirm="Revoke"
        isOpen={isOpen}
        onOpenChange={setOpen}
        typed={label}
        perform={() => revoke.mutateAsync({ id })}
      >
        <p>Within 5 seconds it stops working everywhere, and anyone who is logged in with it is logged out.</p>
      </ConfirmDialog>
    </>
  );
}
