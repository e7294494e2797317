import type { ComponentProps } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import styles from './button.module.css';
import { Shortcut } from './shortcut.tsx';

export interface ButtonProps extends Omit<ComponentProps<typeof AriaButton>, 'children' | 'className'> {
  children: React.ReactNode;
  /**
   * `primary` is what the page is for, `danger` what cannot be undone; there is one of them at most on a page. `small`
   * stands in a line of text.
   */
  variant?: 'plain' | 'primary' | 'danger' | 'quiet' | 'small';
  /** The key that does the same; the page registers it with `useShortcut`. */
  shortcut?: string;
}

const PENDING = { type: 'button', 'aria-disabled': true } as const;

/**
 * A button. While it is pending it stays in place, keeps the focus, and cannot be pressed again. React Aria's own pending
 * announces the button by its id, which is gone when what it did closes a dialog or leads to another page.
 */
export function Button({ children, variant = 'plain', shortcut, isPending = false, ...props }: ButtonProps) {
  const { onPress, type, ...rest } = props;
  const press = { ...(onPress && { onPress }), ...(type && { type }) };
  return (
    <AriaButton
      {...rest}
      {...(isPending ? PENDING : press)}
      data-pending={isPending || undefined}
      className={`${styles.button} ${styles[variant]}`}
      aria-keyshortcuts={shortcut}
    >
      {children}
      {shortcut !== undefined && <Shortcut keys={shortcut} />}
    </AriaButton>
  );
}
