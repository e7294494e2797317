import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { InputOf, OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { words } from '../../format/words.ts';

interface DismissRefusalProps {
  one: Pick<InputOf<'accountImports.dismissRefusal'>, 'code' | 'external_account_number'>;
  refusal: OutputOf<'accounts.getMasked'>['refusals'][number];
}

/** Resolves what is not to come, with a reason. */
export function DismissRefusal({ one, refusal }: DismissRefusalProps) {
  const [isOpen, setOpen] = useState(false);
  const dismiss = useAction('accountImports.dismissRefusal');
  const { operation, request_id } = refusal;
  return (
    <>
      <Button onPress={() => setOpen(true)}>Dismiss</Button>
      {isOpen && (
        <ConfirmDialog
          title={`Dismiss: ${words(operation)} refused`}
          confirm="Dismiss"
          isOpen
          onOpenChange={setOpen}
          perform={(reason) => dismiss.mutateAsync({ ...one, operation, request_id, reason })}
          reason="required"
        >
          The account counts as complete without what was refused, unless something else is open. Nothing is stored. The
          audit trail keeps your reason.
        </ConfirmDialog>
      )}
    </>
  );
}
