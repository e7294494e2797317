import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useState } from 'react';

/** Fewer are all drawn: they can be searched by the browser, and printed. */
const MOST_DRAWN = 200;
const HEIGHT_OF_ROW = 41;

interface VisibleRows<Row> {
  visible: readonly { row: Row; index: number }[];
  /** The height of what is not drawn above and below. */
  before: number;
  after: number;
  /** For each row: some are higher than others. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  /** Scrolls to a row and gives the focus to its link. */
  show(index: number): void;
}

/** The rows of a table that are in sight, or all where they are few. */
export function useVisibleRows<Row>(rows: readonly Row[], table: RefObject<HTMLTableElement | null>): VisibleRows<Row> {
  const isLong = rows.length > MOST_DRAWN;
  const [asked, setAsked] = useState<{ index: number }>();
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: rows.length,
    estimateSize: () => HEIGHT_OF_ROW,
    overscan: 8,
    enabled: isLong,
    scrollMargin: table.current?.offsetTop ?? 0,
  });
  useEffect(() => {
    if (asked === undefined) return;
    table.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${asked.index + 2}"] a`)?.focus();
  }, [asked, table]);
  const show = (wanted: number) => {
    const index = Math.min(Math.max(wanted, 0), rows.length - 1);
    if (index < 0) return;
    if (isLong) virtualizer.scrollToIndex(index);
    setAsked({ index });
  };
  if (!isLong)
    return { visible: rows.map((row, index) => ({ row, index })), before: 0, after: 0, measure: undefined, show };
  const items = virtualizer.getVirtualItems();
  const margin = virtualizer.options.scrollMargin;
  return {
    visible: items.flatMap(({ index }) => (rows[index] === undefined ? [] : [{ row: rows[index], index }])),
    before: Math.max(0, (items[0]?.start ?? margin) - margin),
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin),
    measure: virtualizer.measureElement,
    show,
  };
}
