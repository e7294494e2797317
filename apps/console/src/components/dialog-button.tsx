import { type ReactNode, useState } from 'react';
import { useShortcut } from '../app/shortcuts.ts';
import { Button, type ButtonProps } from './button.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

interface DialogButtonProps extends Pick<ButtonProps, 'variant' | 'shortcut' | 'isDisabled' | 'aria-label'> {
  /** On the button: `New team`. */
  label: string;
  /** What the key does, in the list of keys. */
  name?: string;
  /** False: neither the button nor its key is for this person, or for now. */
  isAllowed?: boolean;
  /** The dialog. */
  children(close: () => void): ReactNode;
}

/** A button, and a key, that open a dialog: it is drawn while it is open. */
export function DialogButton({ label, name = label, isAllowed = true, children, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  useShortcut(button.shortcut, name, () => isAllowed && setOpen(true));
  if (!isAllowed) return null;
  return (
    <>
      <Button {...button} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

type ConfirmButtonProps = Omit<DialogButtonProps, 'children'> &
  Omit<ConfirmDialogProps, 'confirm' | 'onClose'> & { confirm?: string };

/** A button for what is confirmed first, by a button of the same label unless `confirm` says otherwise. */
export function ConfirmButton({ title, children, perform, confirm, typed, reason, ...button }: ConfirmButtonProps) {
  const asked = { title, children, perform, confirm: confirm ?? button.label, typed, reason };
  return <DialogButton {...button}>{(close) => <ConfirmDialog {...asked} onClose={close} />}</DialogButton>;
}

/** A button, and the key `n`, for what the page can create. */
export function NewButton(props: Omit<DialogButtonProps, 'variant' | 'shortcut'>) {
  return <DialogButton variant="primary" shortcut="n" {...props} />;
}
