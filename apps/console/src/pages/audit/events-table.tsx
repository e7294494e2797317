import { Link, type LinkProps } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/read.tsx';
import { RequestId } from '../../components/request-id.tsx';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { valueInWords, words } from '../../format/words.ts';
import styles from './events-table.module.css';

type StaffEvent = OutputOf<'audit.listOfStaff'>[number];
export type AuditEvent = OutputOf<'audit.list'>[number] &
  Partial<Pick<StaffEvent, 'subject' | 'subject_id' | 'code' | 'external_account_number'>>;

const COLUMNS: readonly Column<AuditEvent>[] = [
  { name: 'When', cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { name: 'Who', cell: ({ person, actor }) => person ?? (actor === 'staff' ? 'service team' : actor) },
  { name: 'What', cell: ({ action }) => words(action) },
];
const TO: Column<AuditEvent> = { name: 'To', cell: (event) => <To event={event} /> };
const MORE: readonly Column<AuditEvent>[] = [
  { name: 'Details', hideBelow: 'narrow', cell: ({ detail }) => <Details of={detail} /> },
  { name: 'Request', hideBelow: 'medium', cell: ({ request_id: id }) => <RequestId id={id} /> },
];

interface EventsTableProps {
  events: readonly AuditEvent[];
  /** Whether it is not of one subject. */
  isOfMany?: boolean;
}

/** Events as they were recorded. */
export function EventsTable({ events, isOfMany = false }: EventsTableProps) {
  return (
    <DataTable
      label="Events"
      rows={events}
      columns={[...COLUMNS, ...(isOfMany ? [TO] : []), ...MORE]}
      keyOf={({ id }) => id}
      hasCards
      empty={<Empty>Nothing is recorded here.</Empty>}
    />
  );
}

function To({
  event: { subject = '', subject_id: id = '', code, external_account_number: number },
}: {
  event: AuditEvent;
}) {
  const name = number ?? code ?? words(subject);
  return <Link {...pageOf({ subject, id, code, number })}>{name}</Link>;
}

interface SubjectOfEvent {
  subject: string;
  id: string;
  code: string | null | undefined;
  number: string | null | undefined;
}

/** The page of what something was done to; its trail if it has no page of its own. */
function pageOf({ subject, id, code, number }: SubjectOfEvent): LinkProps {
  if (code && number) return { to: '/accounts/$code/$number', params: { code, number } };
  if (code) return { to: '/suppliers/$code', params: { code } };
  if (subject === 'bulk_job') return { to: '/jobs/$id', params: { id } };
  if (subject === 'reconciliation') return { to: '/reconciliations/$id', params: { id } };
  return { to: '/audit', search: { subject, id } };
}

function Details({ of: detail }: { of: AuditEvent['detail'] }) {
  if (detail === null) return '–';
  const parts = Object.entries(detail).map(([name, value]) => {
    const shown = valueInWords(value);
    return `${words(name)}: ${shown}`;
  });
  return <span className={styles.detail}>{parts.join(', ')}</span>;
}
