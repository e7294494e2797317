import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { Read } from '../../components/read.tsx';
import { Row } from '../../components/stack.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useLive } from '../../data/use-live.ts';
import { EventsTable } from './events-table.tsx';

type StaffEvent = OutputOf<'audit.listOfStaff'>[number];

const PAGE = 100;

/** The keys of the service team as choices. */
export function useStaffKeys(): { value: string; name: string }[] {
  const { data = [] } = useQuery(askAll('apiKeys.list'));
  return data.flatMap(({ id, label, person, organisation_id }) =>
    organisation_id === null ? [{ value: id, name: person === null ? label : `${person}: ${label}` }] : [],
  );
}

interface EventsOfStaffProps {
  search: { key?: string | undefined; before?: string | undefined };
}

/** What the service team did, newest first, page by page. */
export function EventsOfStaff({ search: { key, before } }: EventsOfStaffProps) {
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
