import type { Context } from '../context.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** When the files of a job expire that nobody works on from now on (behaviour 21.5). */
export function filesExpireAt({ bulk, clock }: Pick<Context, 'bulk' | 'clock'>): Date {
  return new Date(clock().getTime() + bulk.filesDays * DAY_MS);
}
