import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAction } from '../../data/use-action.ts';
import type { Reconciliation } from './figures.ts';

/** Ends a comparison that has no verdict yet. */
export function CancelReconciliation({ reconciliation: { id, import_supplier } }: { reconciliation: Reconciliation }) {
  const [isOpen, setOpen] = useState(false);
  const cancel = useAction('dataImport.cancelReconciliation');
  return (
    <>
      <Button onPress={() => setOpen(true)}>Cancel it</Button>
      <ConfirmDialog
        title={`Cancel the reconciliation of ${import_supplier}`}
        confirm="Cancel it"
        isOpen={isOpen}
        onOpenChange={setOpen}
        perform={() => cancel.mutateAsync({ reconciliation_id: id })}
      >
        <p>It will have no verdict. Another one can be asked for at any time.</p>
      </ConfirmDialog>
    </>
  );
}
