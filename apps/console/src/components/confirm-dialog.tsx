import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { Refusal } from './refusal.tsx';
import { TextField } from './text-field.tsx';

interface ConfirmDialogProps {
  /** Names what is done, to what, and to how many: `Pause HARBOUR-VALE`. */
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** On the button: `Pause`. */
  confirm: string;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** Done when it is confirmed. The dialog closes when it resolves, and says why when it rejects. */
  perform(reason: string): Promise<unknown>;
  /** What has to be typed before the button works: for what cannot be undone. */
  typed?: string;
  /** Asks for a reason, which `perform` gets. */
  reason?: 'optional' | 'required';
  /** False while there is nothing to do it to. */
  isPossible?: boolean;
}

/** Asks before something is done. What cannot be undone wants its code typed. */
export function ConfirmDialog({ title, children, confirm, isOpen, onOpenChange, ...rest }: ConfirmDialogProps) {
  const { perform, typed, reason, isPossible = true } = rest;
  const [code, setCode] = useState('');
  const [words, setWords] = useState('');
  // Here, since what was done may take the dialog off the page before the mutation is told.
  const action = useMutation({ mutationFn: () => perform(words.trim()).then(() => change(false)) });
  const change = (next: boolean) => {
    setCode('');
    setWords('');
    action.reset();
    onOpenChange(next);
  };
  const isReady =
    isPossible && (typed === undefined || code === typed) && (reason !== 'required' || words.trim() !== '');
  const submit = () => isReady && !action.isPending && action.mutate();
  const button = (
    <Button type="submit" variant={typed ? 'danger' : 'primary'} isDisabled={!isReady} isPending={action.isPending}>
      {confirm}
    </Button>
  );
  return (
    <Dialog title={title} role="alertdialog" isOpen={isOpen} onOpenChange={change} actions={button} onSubmit={submit}>
      <div className={styles.words}>{children}</div>
      {reason !== undefined && (
        <TextField
          label={reason === 'required' ? 'Reason' : 'Reason, if there is one'}
          value={words}
          onChange={setWords}
        />
      )}
      {typed !== undefined && <TextField label={`Type ${typed} to confirm`} value={code} onChange={setCode} />}
      <Refusal of={action.error} />
    </Dialog>
  );
}
