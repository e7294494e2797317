import { type ReactNode, useState } from 'react';
import { useShortcut } from '../app/shortcuts.ts';
import { Button } from './button.tsx';

interface DialogButtonProps {
  /** On the button: `New team`. */
  label: string;
  /** What the key does, in the list of keys. */
  name?: string;
  shortcut?: string;
  variant?: 'plain' | 'primary';
  /** The dialog. */
  children(close: () => void): ReactNode;
}

/** A button, and a key, that open a dialog: it is drawn while it is open. */
export function DialogButton({
  label,
  name = label,
  shortcut = 'n',
  variant = 'primary',
  children,
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  useShortcut(shortcut, name, () => setOpen(true));
  return (
    <>
      <Button variant={variant} shortcut={shortcut} onPress={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
