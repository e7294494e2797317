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
const STATES: Record<string, Tone> = {
  COMPLETED: 'good',
  COMPLETE: 'good',
  FINISHED: 'good',
  EQUAL: 'good',
  SEALED: 'good',
  ACTIVE: 'good',
  SENT: 'good',
  ENABLED: 'good',
  DELIVERED: 'good',
  IN_PROGRESS: 'moving',
  ONGOING: 'moving',
  RUNNING: 'moving',
  PLANNING: 'moving',
  SENDING: 'moving',
  STAGED: 'waiting',
  PENDING: 'waiting',
  OPEN: 'waiting',
  READY: 'waiting',
  REHEARSED: 'waiting',
  QUEUED: 'waiting',
  WAITING: 'waiting',
  PAUSED: 'attention',
  MOVED: 'attention',
  IN_DOUBT: 'attention',
  FAILED: 'bad',
  DIFFERENT: 'bad',
  REFUSED: 'bad',
  GIVEN_UP: 'bad',
  DISABLED: 'bad',
  SKIPPED: 'quiet',
  CANCELLED: 'quiet',
  WITHDRAWN: 'quiet',
  REVOKED: 'quiet',
  NOT_SENT: 'quiet',
};

/** A state of the service in small letters: `in progress`. Its colour never stands alone. */
export function StateBadge({ state, tone = STATES[state] ?? 'quiet' }: { state: string; tone?: Tone }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <span aria-hidden="true">{TONES[tone]}</span>
      <span>{state.toLowerCase().replaceAll('_', ' ')}</span>
    </span>
  );
}
