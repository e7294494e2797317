import { getRouteApi } from '@tanstack/react-router';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty } from '../../components/read.tsx';
import { EventsOfStaff, useStaffKeys } from './events-of-staff.tsx';
import { EventsOfSubject } from './events-of-subject.tsx';
import { isSubject, SUBJECTS, type SubjectField, subjectOf } from './subject.ts';

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
  const navigate = route.useNavigate();
  const keys = useStaffKeys();
  const { subject } = search;
  const named = subject !== undefined && isSubject(subject) ? SUBJECTS[subject].fields : [];
  const fields: Field[] =
    subject === undefined ? [{ kind: 'choice', name: 'key', label: 'Key', choices: keys }] : [...named];
  const subjects = Object.entries(SUBJECTS).map(([value, { name }]) => ({ value, name }));
  return (
    <FilterBar
      filters={[{ kind: 'choice', name: 'subject', label: 'To what', choices: subjects }, ...fields]}
      search={search}
      onChange={(change) =>
        void navigate({
          search: (old) => ({ ...old, ...change, before: undefined, after: undefined }),
          replace: true,
        })
      }
    />
  );
}

function Trail() {
  const search = route.useSearch();
  const subject = subjectOf(search);
  if (subject === undefined) return <Empty>Say which one: its trail is then shown here.</Empty>;
  return <EventsOfSubject subject={subject} after={search.after} />;
}
