import type { OutputOf } from '../../data/ask.ts';

type Status = OutputOf<'overview.migrations'>[number]['status'];

/** A change of an import supplier's status: what it is called, and what follows from it. */
export interface StatusChange {
  name: 'Pause' | 'Resume' | 'Complete' | 'Reopen';
  keys: string;
  to: Status;
  follows: string;
  /** Its code has to be typed. */
  isTyped: boolean;
}

const PAUSE: StatusChange = {
  name: 'Pause',
  keys: 'p',
  to: 'PAUSED',
  follows: 'No account is staged or created until it is resumed. Its jobs wait until then, and continue automatically.',
  isTyped: false,
};
const RESUME: StatusChange = {
  name: 'Resume',
  keys: 'p',
  to: 'ONGOING',
  follows: 'Accounts are accepted again, and jobs that wait for it continue.',
  isTyped: false,
};
const COMPLETE: StatusChange = {
  name: 'Complete',
  keys: 'x',
  to: 'COMPLETE',
  follows: 'No more accounts are accepted: the migration is over.',
  isTyped: true,
};
const REOPEN: StatusChange = {
  name: 'Reopen',
  keys: 'p',
  to: 'ONGOING',
  follows: 'Accounts are accepted again.',
  isTyped: true,
};

/** What the status can change into. */
export function statusChanges(status: Status): readonly StatusChange[] {
  if (status === 'COMPLETE') return [REOPEN];
  return [status === 'ONGOING' ? PAUSE : RESUME, COMPLETE];
}
