import { Link, type LinkProps } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import styles from './data-table.module.css';

interface TableRowProps {
  index: number;
  link: LinkProps | undefined;
  /** Tells how high it is, where only some of the rows are drawn. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  children: readonly { name: string; className: string; content: ReactNode }[];
}

/** A row. A click in it follows its link, which has the keys, unless text or another control was meant. */
export function TableRow({ index, link, measure, children }: TableRowProps) {
  const follow = (event: MouseEvent<HTMLTableRowElement>) => {
    const isOther = (event.target as Element).closest('a, button, input, select, label') !== null;
    if (!isOther && getSelection()?.isCollapsed) event.currentTarget.querySelector('a')?.click();
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={link && styles.linked}
      onClick={link && follow}
    >
      {children.map(({ name, className, content }, place) => (
        <td key={name} className={className} data-name={name}>
          <div className={styles.content}>{place === 0 && link ? <Link {...link}>{content}</Link> : content}</div>
        </td>
      ))}
    </tr>
  );
}
