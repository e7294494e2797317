import type { OutputOf } from '../../data/ask.ts';
import { valueInWords, words } from '../../format/words.ts';
import styles from './events-table.module.css';

type StaffEvent = OutputOf<'audit.listOfStaff'>[number];
export type AuditEvent = OutputOf<'audit.list'>[number] &
  Partial<Pick<StaffEvent, 'subject' | 'subject_id' | 'code' | 'external_account_number'>>;

/** More stand behind a click: a supplier that is created has all its settings. */
const MOST_SHOWN = 4;

interface EventDetailsProps {
  of: AuditEvent['detail'];
  /** By ids. */
  names: ReadonlyMap<string, string>;
}

/** The details of an event, a line each. */
export function EventDetails({ of: detail, names }: EventDetailsProps) {
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
