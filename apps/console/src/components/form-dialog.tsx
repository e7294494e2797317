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
}

/** Fields over the page. It is there while it is drawn, so that it is empty when it is opened again. */
export function FormDialog({ title, confirm, children, perform, onClose, isReady = true }: FormDialogProps) {
  const action = useMutation({ mutationFn: perform });
  const submit = () => {
    if (isReady && !action.isPending) action.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={title}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onSubmit={submit}
      actions={
        <Button type="submit" variant="primary" isDisabled={!isReady} isPending={action.isPending}>
          {confirm}
        </Button>
      }
    >
      {children}
      <Refusal of={action.error} />
    </Dialog>
  );
}
