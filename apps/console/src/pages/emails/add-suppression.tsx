import { useState } from 'react';
import { NewButton } from '../../components/dialog-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useAction } from '../../data/use-action.ts';

/** Adds an address to the suppression list. */
export function AddSuppression({ code }: { code: string }) {
  return (
    <NewButton label="Add address" name="Add an address">
      {(close) => <Add code={code} onClose={close} />}
    </NewButton>
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
