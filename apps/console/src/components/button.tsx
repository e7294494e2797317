import type { ComponentProps } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import styles from './button.module.css';
import { Shortcut } from './shortcut.tsx';

interface ButtonProps extends Omit<ComponentProps<typeof AriaButton>, 'children' | 'className'> {
  children: React.ReactNode;
  /** `primary` is what the page is for, `danger` what cannot be undone; there is one of them at most on a page. */
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** The key that does the same; the page registers it with `useShortcut`. */
  shortcut?: string;
}

/** A button. While it is pending it stays in place and cannot be pressed again. */
export function Button({ children, variant = 'plain', shortcut, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`${styles.button} ${styles[variant]}`} aria-keyshortcuts={shortcut}>
      {children}
      {shortcut !== undefined && <Shortcut keys={shortcut} />}
    </AriaButton>
  );
}
