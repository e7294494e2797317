import { Link, type LinkProps } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { useShortcut } from '../app/shortcuts.ts';
import styles from './data-table.module.css';
import { Empty } from './read.tsx';
import { useVisibleRows } from './use-visible-rows.ts';

export interface Column<Row> {
  /** Its header. */
  name: string;
  cell(row: Row): ReactNode;
  /** `end` for numbers and money. */
  align?: 'end';
  /** Never continues in another line: numbers of accounts. */
  isWhole?: true;
  /** Left out where the page is narrower: 40 rem or 64 rem. */
  hideBelow?: 'narrow' | 'medium';
}

export interface DataTableProps<Row> {
  /** For screen readers: `Accounts of HARBOUR-VALE`. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  /** Where a row leads: its first cell becomes the link. `j` and `k` go from link to link, Enter follows one. */
  linkOf?(row: Row): LinkProps;
  /** In place of the table if there are no rows: why, and what to do next. */
  empty?: ReactNode;
  /** On a telephone each row is a card, for what has more columns than fit there. */
  hasCards?: boolean;
}

/**
 * Rows as a plain table. Of long ones only what is in sight is drawn, with all rows counted for screen readers. Wider
 * than its place it scrolls sideways by itself.
 */
export function DataTable<Row>({ label, rows, columns, keyOf, linkOf, empty, hasCards }: DataTableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  const { visible, before, after, measure, show } = useVisibleRows(rows, table);
  const step = (by: number) => show(indexOfFocus() + by);
  useShortcut('j', 'Next row', () => step(1));
  useShortcut('k', 'Previous row', () => step(-1));
  if (rows.length === 0 && empty !== undefined) return <Empty>{empty}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.place} aria-label={label} tabIndex={0}>
      <table
        ref={table}
        className={`${styles.table} ${hasCards ? styles.cards : ''}`}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.name} scope="col" className={classOf(column)}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={before} columns={columns.length} />
          {visible.map(({ row, index }) => (
            <TableRow key={keyOf(row)} index={index} link={linkOf?.(row)} measure={measure}>
              {columns.map((column) => ({ name: column.name, className: classOf(column), content: column.cell(row) }))}
            </TableRow>
          ))}
          <Space height={after} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

/** In place of the rows that are not drawn. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null;
  return (
    <tr>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

function classOf<Row>({ align, isWhole, hideBelow }: Column<Row>): string {
  return [align === 'end' && styles.end, isWhole && styles.whole, hideBelow && styles[hideBelow]]
    .filter(Boolean)
    .join(' ');
}

/** The index of the row that has the focus; -1 if none has it. */
function indexOfFocus(): number {
  const row = document.activeElement?.closest('tr[aria-rowindex]');
  return row ? Number(row.getAttribute('aria-rowindex')) - 2 : -1;
}

interface TableRowProps {
  index: number;
  link: LinkProps | undefined;
  /** Tells how high it is, where only some of the rows are drawn. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  children: readonly { name: string; className: string; content: ReactNode }[];
}

/** A row. A click in it follows its link, which has the keys, unless text or another control was meant. */
function TableRow({ index, link, measure, children }: TableRowProps) {
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
