import { type ReactNode, useState } from 'react';
import styles from './confirm-dialog.module.css';
import { FormDialog } from './form-dialog.tsx';
import { TextField } from './text-field.tsx';

export interface ConfirmDialogProps {
  /** Names what is done, to what, and to how many: `Pause HARBOUR-VALE`. */
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** On the button: `Pause`. */
  confirm: string;
  onClose(): void;
  /** Done when it is confirmed. The dialog closes when it resolves, and says why when it rejects. */
  perform(reason: string): Promise<unknown>;
  /** What has to be typed before the button works: for what cannot be undone. */
  typed?: string | undefined;
  /** Asks for a reason, which `perform` gets. */
  reason?: 'optional' | 'required' | undefined;
  /** False while there is nothing to do it to. */
  isPossible?: boolean;
}

/** Asks before something is done. What cannot be undone wants its code typed. */
export function ConfirmDialog({ children, perform, typed, reason, isPossible = true, ...rest }: ConfirmDialogProps) {
  const [code, setCode] = useState('');
  const [words, setWords] = useState('');
  const isReady =
    isPossible && (typed === undefined || code === typed) && (reason !== 'required' || words.trim() !== '');
  return (
    <FormDialog
      {...rest}
      role="alertdialog"
      variant={typed ? 'danger' : 'primary'}
      isReady={isReady}
      perform={() => perform(words.trim())}
    >
      <div className={styles.words}>{children}</div>
      {reason !== undefined && (
        <TextField
          label={reason === 'required' ? 'Reason' : 'Reason, if there is one'}
          value={words}
          onChange={setWords}
        />
      )}
      {typed !== undefined && <TextField label={`Type ${typed} to confirm`} value={code} onChange={setCode} />}
    </FormDialog>
  );
}
