import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Refusal } from './refusal.tsx';

interface FormDialogProps {
  title: string;
  /** On the button: `Create`. */
  confirm: string;
  children: ReactNode;
  /** The dialog closes when it resolves, and says why when it rejects. */
  perform(): Promise<unknown>;
  onClose(): void;
  isReady?: boolean;
  /** `danger` for what cannot be undone. */
  variant?: 'primary' | 'danger';
  role?: 'dialog' | 'alertdialog';
}

/** Fields over the page. */
export function FormDialog({ title, confirm, children, perform, onClose, ...rest }: FormDialogProps) {
  const { isReady = true, variant = 'primary', role = 'dialog' } = rest;
  // Closed here, since what was done may take the dialog off the page before the mutation is told.
  const action = useMutation({ mutationFn: () => perform().then(onClose) });
  const submit = () => isReady && !action.isPending && action.mutate();
  const button = (
    <Button type="submit" variant={variant} isDisabled={!isReady} isPending={action.isPending}>
      {confirm}
    </Button>
  );
  return (
    <Dialog title={title} role={role} onClose={onClose} onSubmit={submit} actions={button}>
      {children}
      <Refusal of={action.error} />
    </Dialog>
  );
}
