import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAction } from '../../data/use-action.ts';
import type { Delivery } from './webhook-words.ts';

interface SendAgainProps {
  endpoint: string;
  delivery: Delivery;
}

/** Sends a message again, whatever became of it, once that is confirmed. */
export function SendAgain({ endpoint: webhook_endpoint_id, delivery: { message_id, event_type } }: SendAgainProps) {
  const [isOpen, setOpen] = useState(false);
  const sendAgain = useAction('dataImport.sendWebhookAgain');
  return (
    <>
      <Button variant="small" aria-label={`Send again: ${event_type}, ${message_id}`} onPress={() => setOpen(true)}>
        Send again
      </Button>
      <ConfirmDialog
        title={`Send ${event_type} again`}
        confirm="Send again"
        isOpen={isOpen}
        onOpenChange={setOpen}
        perform={() => sendAgain.mutateAsync({ webhook_endpoint_id, message_id })}
      >
        <p>
          It has the same <code>webhook-id</code> as before, <code>{message_id}</code>: a receiver that has it already
          can tell.
        </p>
      </ConfirmDialog>
    </>
  );
}
