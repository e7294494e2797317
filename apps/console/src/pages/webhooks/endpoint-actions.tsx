import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import { type Endpoint, nameOfEndpoint } from './webhook-words.ts';

/** Tests an endpoint or, where it is disabled, enables it again. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const [isOpen, setOpen] = useState(false);
  const mayChange = useMayChange();
  const test = useAction('dataImport.testWebhookEndpoint');
  const update = useAction('dataImport.updateWebhookEndpoint');
  const { id: webhook_endpoint_id, state } = endpoint;
  const isDisabled = state === 'DISABLED';
  const [name, keys] = isDisabled ? (['Enable', 'e'] as const) : (['Send a test', 't'] as const);
  useShortcut(keys, name, () => mayChange && setOpen(true));
  if (!mayChange) return null;
  return (
    <>
      <Button shortcut={keys} onPress={() => setOpen(true)}>
        {name}
      </Button>
      <ConfirmDialog
        title={`${name}: ${nameOfEndpoint(endpoint)}`}
        confirm={name}
        isOpen={isOpen}
        onOpenChange={setOpen}
        perform={() =>
          isDisabled
            ? update.mutateAsync({ webhook_endpoint_id, enabled: true })
            : test.mutateAsync({ webhook_endpoint_id })
        }
      >
        {isDisabled
          ? 'It resumes where it stopped, as far as the events are kept.'
          : 'A message of the type webhook.test is sent within a second or so. It tells nothing of any account.'}
      </ConfirmDialog>
    </>
  );
}
