import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { More } from '../../components/more.tsx';
import { stateChoices } from '../../components/options.tsx';
import { Panel } from '../../components/panel.tsx';
import { Read } from '../../components/read.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { Sentence } from '../../components/sentence.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import { count, counted } from '../../format/numbers.ts';
import styles from './account.module.css';
import type { AccountSearch } from './search.ts';
import { type Entry, matches, toldOnce, whatOf, whoOf } from './timeline-entry.ts';
import { useTimeline } from './use-timeline.ts';

const route = getRouteApi('/shell/accounts/$code/$number');
/** That many are read as fast as a filter is set. */
const FEW = 12;

const FILTERS: readonly Filter<keyof AccountSearch>[] = [
  { name: 'show', label: 'Show', choices: stateChoices(['accepted', 'refused']) },
  { name: 'find', label: 'Contains', placeholder: 'Code, person, request id' },
];

const COLUMNS: readonly Column<Entry>[] = [
  { name: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    name: 'What',
    cell: (entry) => {
      const { title, detail, isRefusal, isOpen } = whatOf(entry);
      return (
        <div className={styles.what} title={detail}>
          <b className={isOpen ? styles.bad : undefined}>
            {isRefusal && <span aria-hidden="true">▲ </span>}
            {title}
          </b>{' '}
          <Sentence>{detail}</Sentence>
        </div>
      );
    },
  },
  { name: 'Who', cell: whoOf, hideBelow: 'narrow' },
  {
    name: 'Request',
    cell: ({ event, refusal }) => {
      const id = event?.request_id ?? refusal?.request_id;
      return id === undefined ? '' : <RequestId id={id} />;
    },
    hideBelow: 'narrow',
  },
];

/** What was accepted and refused, in one order. */
export function Timeline({ code, number }: { code: string; number: string }) {
  const search = route.useSearch();
  const list = useTimeline(code, number);
  const isFiltered = search.show !== undefined || search.find !== undefined;
  const isLong = (list.data?.length ?? 0) > FEW;
  return (
    <Panel title="Timeline">
      {(isFiltered || isLong) && <FilterBar search={search} filters={FILTERS} />}
      <Read of={list}>
        {(read) => {
          const entries = toldOnce(read);
          const rows = entries.filter((entry) => matches(entry, search));
          return (
            <>
              <p role="status" className={text.faint}>
                {rows.length !== entries.length && `${count(rows.length)} of `}
                {counted(entries.length, 'entry', 'entries')}, oldest first
              </p>
              <DataTable
                label="Entries of the timeline"
                rows={rows}
                columns={COLUMNS}
                keyOf={({ position }) => position}
                hasCards
                empty="No events match the filter."
              />
              <More of={list} />
            </>
          );
        }}
      </Read>
    </Panel>
  );
}
