import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { More } from '../../components/more.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { usePages } from '../../data/use-pages.ts';
import { count, counted } from '../../format/numbers.ts';
import styles from './account.module.css';
import type { AccountSearch } from './route.ts';
import { type Entry, matches, whatOf, whoOf } from './timeline-entry.ts';

const route = getRouteApi('/shell/accounts/$code/$number');
const SIZE_OF_PAGE = 1_000;

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
  const navigate = route.useNavigate();
  const change = useCallback(
    (changed: Partial<Record<keyof AccountSearch, string | undefined>>) =>
      void navigate({ search: (before) => ({ ...before, ...changed }) as AccountSearch, replace: true }),
    [navigate],
  );
  const list = usePages(
    'accounts.timeline',
    { code, external_account_number: number },
    { size: SIZE_OF_PAGE, afterOf: ({ position }) => position, isLive: true },
  );
  const hasEmails = list.data?.some(({ email }) => email !== undefined) === true;
  return (
    <Panel title="Timeline" aside={hasEmails && <Emails code={code} number={number} />}>
      <FilterBar
        search={search}
        onChange={change}
        filters={[
          {
            kind: 'choice',
            name: 'show',
            label: 'Show',
            choices: [
              { value: 'accepted', name: 'accepted' },
              { value: 'refused', name: 'refused' },
            ],
          },
          { kind: 'text', name: 'find', label: 'With', placeholder: 'Code, person, request id' },
        ]}
      />
      <Read of={list}>
        {(entries) => {
          const rows = entries.filter((entry) => matches(entry, search));
          return (
            <>
              <p role="status" className={styles.faint}>
                {rows.length !== entries.length && `${count(rows.length)} of `}
                {counted(entries.length, 'entry', 'entries')}, oldest first
              </p>
              <DataTable
                label="Entries of the timeline"
                rows={rows}
                columns={COLUMNS}
                keyOf={({ position }) => position}
                hasCards
                empty={<Empty>Nothing that happened to it is like this.</Empty>}
              />
              <More of={list} />
            </>
          );
        }}
      </Read>
    </Panel>
  );
}

function Emails({ code, number }: { code: string; number: string }) {
  return (
    <Link to="/suppliers/$code/emails" params={{ code }} search={{ account: number }}>
      Its e-mails
    </Link>
  );
}
