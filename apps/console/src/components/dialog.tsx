import type { FormEvent, ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** `alertdialog` for what asks for a decision. */
  role?: 'dialog' | 'alertdialog';
  /** Beside the button that closes it; without them that says Close. */
  actions?: ReactNode;
  /** When a button of type `submit` is pressed, or Enter in a field. */
  onSubmit?(): void;
}

/**
 * Something over the page that keeps the focus until it is closed, by its button or by Escape. It is there while it is
 * drawn, so that its fields are empty when it is opened again.
 */
export function Dialog({ title, onClose, children, role = 'dialog', actions, onSubmit }: DialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <ModalOverlay className={styles.overlay} isOpen onOpenChange={onClose} isDismissable>
      <Modal className={styles.modal}>
        <AriaDialog className={styles.dialog} role={role}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <form className={styles.form} onSubmit={submit}>
            {children}
            <div className={styles.actions}>
              {actions}
              <Button slot="close">{actions === undefined ? 'Close' : 'Cancel'}</Button>
            </div>
          </form>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
