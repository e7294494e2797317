import type { ReactNode } from 'react';
import styles from './stack.module.css';

/** The parts of a page below each other; with `isWide` beside each other where there is room. */
export function Stack({ children, isWide = false }: { children: ReactNode; isWide?: boolean }) {
  return <div className={isWide ? styles.wide : styles.stack}>{children}</div>;
}

/** Buttons and the like in a row that wraps. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
