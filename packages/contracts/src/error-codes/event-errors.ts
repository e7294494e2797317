import type { ErrorRow } from './error-row.ts';

/** Refusals of requests about events. */
export const EVENT_ERRORS = {
  event_cursor_expired: {
    status: 409,
    when: 'The event of this cursor has been removed, and with it perhaps events that you have not read.',
    cause: 'Nobody read the events for longer than they are kept, or the service was restored from a backup.',
    remedy:
      'Read the lists of account imports and the bulk jobs, as if you had no events; then read the events without `after`.',
    example: {
      detail:
        'Events after this cursor have been removed: compare what you have with the lists, then read on without `after`.',
      errors: 'after',
    },
  },
} as const satisfies Record<string, ErrorRow>;
