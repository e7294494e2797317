import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Read } from '../../components/read.tsx';
import { Row } from '../../components/stack.tsx';
import { ask } from '../../data/ask.ts';
import { EventsTable } from './events-table.tsx';

const PAGE = 100;

/** The keys of the service team as choices. */
export function useStaffKeys(): { value: string; name: string }[] {
  const { data = [] } = useQuery(ask('apiKeys.list', {}));
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
  const events = useQuery(ask('audit.listOfStaff', input));
  return (
    <Read of={events}>
      {(rows) => (
        <>
          <EventsTable events={rows} isOfMany />
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
