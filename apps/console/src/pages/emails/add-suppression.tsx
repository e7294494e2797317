import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';

/** Adds an address to the suppression list. */
export function AddSuppression({ code }: { code: string }) {
  const [isOpen, setOpen] = useState(false);
  useShortcut('n', 'Add an address', () => setOpen(true));
  return (
    <>
      <Button variant="primary" shortcut="n" onPress={() => setOpen(true)}>
        Add address
      </Button>
      {isOpen && <Add code={code} onClose={() => setOpen(false)} />}
    </>
  );
}

function Add({ code, onClose }: { code: string; onClose(): void }) {
  const [address, setAddress] = useState('');
  const add = useAction('emailSuppressions.add');
  return (
    <FormDialog
      title="Add an address to the suppression list"
      confirm="Add"
      isReady={address.trim() !== ''}
      perform={() => add.mutateAsync({ code, address: address.trim() })}
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="email"
        value={address}
        onChange={setAddress}
        description={`It gets no e-mail of ${code} any more, and what waits for it is not sent.`}
      />
    </FormDialog>
  );
}
