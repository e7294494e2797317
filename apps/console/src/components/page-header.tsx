import type { ReactNode } from 'react';
import styles from './page-header.module.css';

interface PageHeaderProps {
  title: ReactNode;
  /** For the browser's tab, where the title is not a text. */
  tabTitle?: string;
  /** What the page answers, in the words of the person who asks. */
  question?: ReactNode;
  /** Beside the title: a state badge. */
  badge?: ReactNode;
  /** Buttons; what is done most stands first. */
  actions?: ReactNode;
  /** `<UpdatedAgo>` of the page's main read. */
  updated?: ReactNode;
}

/** The head of every page, with its one `h1`, which gets the focus when the page is opened. */
export function PageHeader({ title, tabTitle, question, badge, actions, updated }: PageHeaderProps) {
  const name = tabTitle ?? (typeof title === 'string' ? title : undefined);
  return (
    <header className={styles.header}>
      {name !== undefined && <title>{`${name} · Causeway`}</title>}
      <div className={styles.words}>
        <div className={styles.line}>
          <h1 tabIndex={-1}>{title}</h1>
          {badge}
        </div>
        <div className={styles.line}>
          {question !== undefined && <p className={styles.question}>{question}</p>}
          {updated}
        </div>
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}
