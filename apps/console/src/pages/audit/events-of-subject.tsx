import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Read } from '../../components/read.tsx';
import { Row } from '../../components/stack.tsx';
import { ask, type InputOf } from '../../data/ask.ts';
import { EventsTable } from './events-table.tsx';
import type { SubjectQuery } from './subject.ts';

const PAGE = 100;

interface EventsOfSubjectProps {
  subject: SubjectQuery;
  after: string | undefined;
}

/** The trail of one thing, oldest first, page by page. */
export function EventsOfSubject({ subject, after }: EventsOfSubjectProps) {
  const input = { ...subject, limit: PAGE, ...(after !== undefined && { after }) } as InputOf<'audit.list'>;
  const events = useQuery(ask('audit.list', input));
  return (
    <Read of={events}>
      {(rows) => (
        <>
          <EventsTable events={rows} />
          <Row>
            {after !== undefined && (
              <Link to="/audit" search={(old) => ({ ...old, after: undefined })}>
                Oldest
              </Link>
            )}
            {rows.length === PAGE && (
              <Link to="/audit" search={(old) => ({ ...old, after: rows.at(-1)?.id })}>
                Newer
              </Link>
            )}
          </Row>
        </>
      )}
    </Read>
  );
}
