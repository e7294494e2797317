import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { Row } from '../../components/stack.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useLive } from '../../data/use-live.ts';
import { EventsOfSubject } from './events-of-subject.tsx';
import { EventsTable } from './events-table.tsx';
import { isSubject, SUBJECTS, type SubjectField, subjectOf } from './subject.ts';

type StaffEvent = OutputOf<'audit.listOfStaff'>[number];

const PAGE = 100;

/** The keys of the service team as choices. */
function useStaffKeys(): { value: string; name: string }[] {
  const { data = [] } = useQuery(askAll('apiKeys.list'));
  return data.flatMap(({ id, label, person, organisation_id }) =>
    organisation_id === null ? [{ value: id, name: person === null ? label : `${person}: ${label}` }] : [],
  );
}

interface EventsOfStaffProps {
  search: { key?: string | undefined; before?: string | undefined };
}

/** What the service team did, newest first, page by page. */
function EventsOfStaff({ search: { key, before } }: EventsOfStaffProps) {
  const input = {
    limit: PAGE,
    ...(key !== undefined && { api_key_id: key }),
    ...(before !== undefined && { before }),
  };
  const events = useLive(ask('audit.listOfStaff', input));
  return (
    <Read of={events}>
      {(rows) => (
        <>
          <NewestEvents key={`${key} ${before}`} events={rows} />
          <Row>
            {before !== undefined && (
              <Link to="/audit" search={(old) => ({ ...old, before: undefined })}>
                Newest
              </Link>
            )}
            {rows.length === PAGE && (
              <Link to="/audit" search={(old) => ({ ...old, before: rows.at(-1)?.id })}>
                Older
              </Link>
            )}
          </Row>
        </>
      )}
    </Read>
  );
}

function NewestEvents({ events }: { events: readonly StaffEvent[] }) {
  const { steady, notice } = useSteadyRows(events, ({ id }) => id);
  return (
    <>
      {notice}
      <EventsTable events={steady} isOfMany />
    </>
  );
}

const route = getRouteApi('/shell/audit');
type Field = Filter<'subject' | 'key' | SubjectField>;

/** Who did what, and when? Of the service team, or to one thing. */
export function AuditPage() {
  const search = route.useSearch();
  return (
    <>
      <PageHeader title="Audit" question="Who did what, and when?" />
      <Filters />
      {search.subject === undefined ? <EventsOfStaff search={search} /> : <Trail />}
    </>
  );
}

/** Every change of the filter begins at the first page. */
function Filters() {
  const search = route.useSearch();
  const keys = useStaffKeys();
  const { subject } = search;
  const named = subject !== undefined && isSubject(subject) ? SUBJECTS[subject].fields : [];
  const fields: Field[] = subject === undefined ? [{ name: 'key', label: 'Key', choices: keys }] : [...named];
  const subjects = Object.entries(SUBJECTS).map(([value, { name }]) => ({ value, name }));
  return (
    <FilterBar
      filters={[{ name: 'subject', label: 'To what', choices: subjects }, ...fields]}
      search={search}
      resets={['before', 'after']}
    />
  );
}

function Trail() {
  const search = route.useSearch();
  const subject = subjectOf(search);
  if (subject === undefined) return <Empty>Choose one to see its audit trail.</Empty>;
  return <EventsOfSubject subject={subject} after={search.after} />;
}
