import { words } from '../format/words.ts';
import styles from './state-badge.module.css';

/** What a state means to anyone who reads it, with a sign of its own shape. */
const TONES = {
  good: '●',
  moving: '◐',
  waiting: '○',
  attention: '◆',
  bad: '▲',
  quiet: '–',
} as const;
export type Tone = keyof typeof TONES;

/** Every state of the service: of accounts, import suppliers, jobs, manifests, reconciliations, keys, e-mails and webhooks. */
const STATES: Record<Exclude<Tone, 'quiet'>, readonly string[]> = {
  good: ['COMPLETED', 'COMPLETE', 'FINISHED', 'EQUAL', 'SEALED', 'ACTIVE', 'SENT', 'ENABLED', 'DELIVERED'],
  moving: ['IN_PROGRESS', 'ONGOING', 'RUNNING', 'PLANNING', 'SENDING'],
  waiting: ['STAGED', 'PENDING', 'OPEN', 'READY', 'REHEARSED', 'QUEUED', 'WAITING'],
  attention: ['PAUSED', 'MOVED', 'IN_DOUBT'],
  bad: ['FAILED', 'DIFFERENT', 'REFUSED', 'GIVEN_UP', 'DISABLED'],
};

/** `quiet`: it has ended without effect, as SKIPPED, UNDONE, CANCELLED, WITHDRAWN, REVOKED and NOT_SENT. */
function toneOf(state: string): Tone {
  const [tone] = Object.entries(STATES).find(([, states]) => states.includes(state)) ?? [];
  return (tone as Tone | undefined) ?? 'quiet';
}

/** A state of the service in small letters: `in progress`. Its colour never stands alone. */
export function StateBadge({ state, tone = toneOf(state) }: { state: string; tone?: Tone }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <span aria-hidden="true">{TONES[tone]}</span>
      <span>{words(state.toLowerCase())}</span>
    </span>
  );
}
