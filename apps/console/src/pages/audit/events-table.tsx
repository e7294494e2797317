import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { RequestId } from '../../components/request-id.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { askAll } from '../../data/list-all.ts';
import { useOrganisations } from '../../data/use-organisations.ts';
import { valueInWords, words } from '../../format/words.ts';
import styles from './events-table.module.css';
import { isSubject, SUBJECTS } from './subject.ts';

type StaffEvent = OutputOf<'audit.listOfStaff'>[number];
type AuditEvent = OutputOf<'audit.list'>[number] &
  Partial<Pick<StaffEvent, 'subject' | 'subject_id' | 'code' | 'external_account_number'>>;

/** More stand behind a click: a supplier that is created has all its settings. */
const MOST_SHOWN = 4;

interface EventDetailsProps {
  of: AuditEvent['detail'];
  /** By ids. */
  names: ReadonlyMap<string, string>;
}

/** The details of an event, a line each. */
function EventDetails({ of: detail, names }: EventDetailsProps) {
  const lines = Object.entries(detail ?? {}).map(([name, value]) => {
    const known = typeof value === 'string' ? names.get(value) : undefined;
    return known === undefined
      ? `${words(name)}: ${valueInWords(value)}`
      : `${words(name).replace(/ id$/, '')}: ${known}`;
  });
  if (lines.length === 0) return '–';
  const shown = lines.length > MOST_SHOWN ? lines.slice(0, MOST_SHOWN - 1) : lines;
  const rest = lines.slice(shown.length);
  return (
    <div className={styles.details}>
      <Lines of={shown} />
      {rest.length > 0 && (
        <details>
          <summary>{rest.length} more</summary>
          <Lines of={rest} />
        </details>
      )}
    </div>
  );
}

function Lines({ of: lines }: { of: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

interface EventsTableProps {
  events: readonly AuditEvent[];
  /** Whether it is not of one subject. */
  isOfMany?: boolean;
}

/** Events as they were recorded. */
export function EventsTable({ events, isOfMany = false }: EventsTableProps) {
  const names = useNames();
  const to: Column<AuditEvent> = { name: 'To', cell: (event) => <To event={event} names={names} /> };
  return (
    <DataTable
      label="Events"
      rows={events}
      columns={[
        { name: 'When', cell: (event) => <When of={event} /> },
        { name: 'Who', cell: (event) => <div className={styles.who}>{whoOf(event, names)}</div> },
        { name: 'What', cell: ({ action }) => words(action) },
        ...(isOfMany ? [to] : []),
        { name: 'Details', hideBelow: 'narrow', cell: ({ detail }) => <EventDetails of={detail} names={names} /> },
      ]}
      keyOf={({ id }) => id}
      hasCards
      empty="Nothing is recorded here."
    />
  );
}

/** With the request that did it: what else came of it is found by that. */
function When({ of: { occurred_at, request_id } }: { of: AuditEvent }) {
  return (
    <>
      <Time at={occurred_at} />
      <div className={`${text.faint} ${styles.request}`}>
        request <RequestId id={request_id} />
      </div>
    </>
  );
}

const ACTORS: Record<string, string> = {
  staff: 'the service team',
  supplier: 'the supplier',
  service: 'the service itself',
};

/** The person; of a key without one, what it is for, and that it is not the service team's. */
function whoOf({ person, actor, api_key_id: key }: AuditEvent, names: ReadonlyMap<string, string>): string {
  const label = names.get(key ?? '');
  if (label === undefined) return person ?? ACTORS[actor] ?? actor;
  return person ?? (actor === 'staff' ? label : `${label} (${actor})`);
}

interface ToProps {
  event: AuditEvent;
  names: ReadonlyMap<string, string>;
}

function To({ event, names }: ToProps) {
  const { subject = '', subject_id: id = '', code, external_account_number: number } = event;
  const kind = isSubject(subject) ? SUBJECTS[subject].name.replace(/^an? /, '') : words(subject);
  const name = number ?? code ?? [kind, names.get(id)].filter(Boolean).join(' ');
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

/** What people call what events have by its id: keys, organisations and teams. */
function useNames(): ReadonlyMap<string, string> {
  const { data: keys = [] } = useQuery(askAll('apiKeys.list'));
  const { data: teams = [] } = useQuery(askAll('operationsTeams.list'));
  const { choices: organisations } = useOrganisations();
  return new Map([
    ...keys.map(({ id, label }) => [id, label] as const),
    ...teams.map(({ id, name }) => [id, name] as const),
    ...organisations.map(({ value: id, name }) => [id, name] as const),
  ]);
}
