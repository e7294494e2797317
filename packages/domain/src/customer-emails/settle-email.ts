import { setTimeout as wait } from 'node:timers/promises';
import { type Database, isUnavailable, type RowOf } from '@causeway/db';
import { groupedStatement } from '../shared/grouped-statement.ts';
import type { ChosenTemplate, RenderedEmail } from './choose-template.ts';
import type { EmailOutcome } from './email-transport.ts';
import { type CLAIM_EMAILS, SETTLE_EMAILS } from './email-work.sql.ts';
import { SMTP_TIMEOUTS, sendTimeoutMs } from './smtp-connection.ts';
import { RENDERED_WITHIN_MS } from './template-renderer.ts';

export type ClaimedEmail = RowOf<typeof CLAIM_EMAILS>;

/** Longer than rendering and a hand-over take, with their writes. */
export const LEASE_MS = RENDERED_WITHIN_MS + sendTimeoutMs(SMTP_TIMEOUTS) + 10_000;
export const MINUTE_MS = 60_000;
/** While the database does not answer, what happened to a message is written again after so long, until its lease ends. */
const SETTLED_AGAIN_AFTER_MS = 1_000;
/** After an attempt that was put off; after the last one the message is given up. */
const PAUSES_MS = [1, 5, 15, 60, 240, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

const settleTogether = groupedStatement(SETTLE_EMAILS);

/** A message that was handed over, and what happened to it. */
export interface HandedOver {
  claim: string;
  email: ClaimedEmail;
  /** The supplier's, if there is one, whatever it was sent with. */
  template: ChosenTemplate;
  rendered: RenderedEmail;
  outcome: EmailOutcome | { outcome: 'unrendered'; answer: string };
}

const WAITS_AGAIN: Readonly<Record<string, string>> = { unheard: 'UNREACHABLE', unrendered: 'UNRENDERED' };

/**
 * Writes what happened to a message; the state it is in now, or why it waits again.
 *
 * @param releasedPauseMs until what nobody has heard of is tried again: a minute, so that it does not hold up the others
 */
export async function settle(
  { database, clock }: { database: Database; clock: () => Date },
  handed: HandedOver,
  releasedPauseMs = MINUTE_MS,
): Promise<string> {
  const { claim, email, outcome, rendered } = handed;
  const { template, failure } = rendered;
  const at = clock();
  const released = WAITS_AGAIN[outcome.outcome];
  const pauseMs = released !== undefined ? releasedPauseMs : PAUSES_MS[email.attempts - 1];
  const state = stateAfter(outcome, pauseMs);
  await settleSurely(database, {
    ...{ id: email.id, claim, at, state, answer: outcome.answer },
    template_language: template.language,
    template_version: template.version,
    next_attempt_at: new Date(at.getTime() + (pauseMs ?? 0)),
    template_failure: failure,
    is_released: released !== undefined,
    suppresses: outcome.outcome === 'refused' && outcome.isNoMailbox,
  });
  return released ?? state;
}

/** What is known of a message is not lost because the database is away for a moment. */
async function settleSurely(database: Database, settled: Parameters<typeof settleTogether>[1]): Promise<void> {
  const triedUntil = performance.now() + LEASE_MS;
  for (;;) {
    try {
      await settleTogether(database, settled);
      return;
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > triedUntil) throw error;
      await wait(SETTLED_AGAIN_AFTER_MS);
    }
  }
}

/** While the server does not listen, or the text is not ready, nothing is given up, however long that is. */
function stateAfter({ outcome }: HandedOver['outcome'], pauseMs: number | undefined) {
  if (outcome === 'sent') return 'SENT';
  if (outcome === 'refused') return 'REFUSED';
  if (outcome === 'in_doubt') return 'IN_DOUBT';
  return pauseMs === undefined ? 'GIVEN_UP' : 'QUEUED';
}
