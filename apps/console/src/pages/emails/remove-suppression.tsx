import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { dateTime } from '../../format/times.ts';

export type Suppression = OutputOf<'emailSuppressions.list'>[number];

interface RemoveSuppressionProps {
  code: string;
  entry: Suppression;
  /** If it is shown. */
  address: string | null | undefined;
}

/** Takes an address off the suppression list, once that is confirmed. */
export function RemoveSuppression({ code, entry: { id, created_at }, address }: RemoveSuppressionProps) {
  const [isOpen, setOpen] = useState(false);
  const remove = useAction('emailSuppressions.remove');
  const name = address ?? `the address of ${dateTime(created_at)}`;
  return (
    <>
      <Button variant="small" aria-label={`Remove ${name}`} onPress={() => setOpen(true)}>
        Remove
      </Button>
      <ConfirmDialog
        title={`Remove ${name}`}
        confirm="Remove"
        isOpen={isOpen}
        onOpenChange={setOpen}
        perform={() => remove.mutateAsync({ code, id })}
      >
        <p>It gets e-mails of {code} again. Those that were not sent stay so, until somebody sends them again.</p>
      </ConfirmDialog>
    </>
  );
}
