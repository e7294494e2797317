import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  children: ReactNode;
  /** Beside the title. */
  aside?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Panel({ title, children, aside }: PanelProps) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
