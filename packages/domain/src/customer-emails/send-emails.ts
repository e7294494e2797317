import { randomUUID } from 'node:crypto';
import type { Database } from '@causeway/db';
import type { Unanswered } from '../shared/ask-thread.ts';
import { chooseTemplate, currentTemplates, type RenderedEmail, renderEmail } from './choose-template.ts';
import type { EmailOutcome, EmailTransport, Unheard } from './email-transport.ts';
import { CLAIM_EMAILS, FIND_EMAIL_WORK, GIVE_TURNS_BACK, SET_EMAILS_IN_DOUBT } from './email-work.sql.ts';
import { type ClaimedEmail, type HandedOver, LEASE_MS, MINUTE_MS, settle } from './settle-email.ts';
import type { TemplateRenderer } from './template-renderer.ts';
import { templateValues } from './template-values.ts';
import { UNDONE_TEMPLATE } from './undone-template.ts';

/** What sending needs: no caller is waiting for it. */
export interface EmailDependencies {
  database: Database;
  clock: () => Date;
  transport: EmailTransport;
  templates: TemplateRenderer;
  perMinute: number;
  /** To one mailbox in 24 hours, by all suppliers of an organisation together. */
  perMailbox: number;
}

/** How many of the messages that were taken ended in which way. */
export interface SentEmails {
  /**
   * By the states of messages; `UNREACHABLE`: the server did not listen, and they wait again; `UNRENDERED`: so do those
   * whose text was not ready in time, though that is not known to be the template's fault.
   */
  counts: Readonly<Record<string, number>>;
  /** Those that wait, because they were too many for their mailbox. */
  overLimit: number;
  /** Why the server listened to none of them. */
  unheard?: Unheard | undefined;
  /** Messages for which the supplier's template could not be rendered: they went with the service's own. */
  withOwnText: number;
  /** Why, of one of them. */
  notRendered?: Error | undefined;
  /** What the rendering of one that waits again ended with. */
  unrendered?: Unanswered | undefined;
}

/** Handed over at the same time: so many are in doubt at most if their sender is killed. */
const MAX_AT_ONCE = 20;

/** The import suppliers with e-mails to send now; '' stands for messages whose sender has ended. */
export async function findEmailWork(database: Database, at: Date): Promise<string[]> {
  return (await database.query(FIND_EMAIL_WORK, { at })).map(({ code }) => code);
}

/** Says of messages whose sender was killed that they are in doubt (behaviour 29.3); how many. */
export async function setEmailsInDoubt({ database, clock }: EmailDependencies): Promise<number> {
  return (await database.query(SET_EMAILS_IN_DOUBT, { at: clock() })).length;
}

/**
 * Takes the next messages of a supplier, hands them over, and writes what happened to each as soon as it is known
 * (behaviour 29.3). Nothing is taken if it is too early, or if somebody else is taking some.
 */
export async function sendEmails(dependencies: EmailDependencies, code: string): Promise<SentEmails> {
  const { database, clock, perMinute, perMailbox: per_mailbox, templates: renderer } = dependencies;
  const at = clock();
  const claim = randomUUID();
  const claimed = await database.query(CLAIM_EMAILS, {
    ...{ code, claim, at, lease_until: new Date(at.getTime() + LEASE_MS) },
    // Of a low rate not a whole minute's at once.
    limit: Math.max(1, Math.min(MAX_AT_ONCE, Math.floor(perMinute / 60))),
    ...{ each_ms: MINUTE_MS / perMinute, per_mailbox },
  });
  const sending = claimed.filter(({ left_out }) => left_out === null);
  const templates = sending.length === 0 ? [] : await currentTemplates(database, code);
  const handed = await Promise.all(
    sending.map(async (email) => {
      const template =
        email.template === 'account_undone' ? UNDONE_TEMPLATE : chooseTemplate(templates, email.language);
      const rendered = await renderEmail(renderer, template, { code, values: templateValues(email) });
      const one = { claim, email, template, rendered, outcome: await handOver(dependencies, email, rendered) };
      return { ...one, state: isUnreached(one.outcome) ? undefined : await settle(dependencies, one) };
    }),
  );
  const unheard = whyUnheard(handed.flatMap(({ outcome }) => (outcome.outcome === 'unrendered' ? [] : [outcome])));
  // A server that others reach, such as one that takes few connections, is tried again later.
  const pauseMs = unheard?.why === 'not_reached' ? 0 : MINUTE_MS;
  const ended = await Promise.all(
    handed.map(async (one) => ({ ...one, state: one.state ?? (await settle(dependencies, one, pauseMs)) })),
  );
  const [first] = sending;
  if (unheard !== undefined && first !== undefined) {
    await database.query(GIVE_TURNS_BACK, { at: clock(), paced_until: first.paced_until });
  }
  const suppressed = claimed.filter(({ left_out }) => left_out === 'SUPPRESSED').map(() => 'NOT_SENT');
  const counts = countOf([...suppressed, ...ended.map(({ state }) => state)]);
  const overLimit = claimed.filter(({ left_out }) => left_out === 'MAILBOX_LIMIT').length;
  return { counts, overLimit, unheard, ...renderingsOf(handed) };
}

const isUnreached = (outcome: HandedOver['outcome']) => outcome.outcome === 'unheard' && outcome.why === 'not_reached';

/** Why the server listened to none of these messages. If it was reached with one of them, it was reached. */
function whyUnheard(outcomes: readonly EmailOutcome[]): Unheard | undefined {
  const unheard = outcomes.filter(({ outcome }) => outcome === 'unheard') as ReadonlyArray<EmailOutcome & Unheard>;
  if (unheard.length < outcomes.length) return undefined;
  return unheard.find(({ why }) => why !== 'not_reached') ?? unheard[0];
}

function countOf(states: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const state of states) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** What waits for its text is never handed over. */
async function handOver(
  { transport }: EmailDependencies,
  email: ClaimedEmail,
  rendered: RenderedEmail,
): Promise<HandedOver['outcome']> {
  if ('unanswered' in rendered) return { outcome: 'unrendered', answer: '' };
  const { id, address: to, email_sender: from, email_unsubscribe: unsubscribe } = email;
  return transport.send({ id, from, to, unsubscribe, ...rendered.texts });
}

function renderingsOf(handed: readonly HandedOver[]): Pick<SentEmails, 'withOwnText' | 'notRendered' | 'unrendered'> {
  const failed = handed.filter(({ rendered }) => rendered.failure !== null);
  const [first] = failed;
  return {
    withOwnText: failed.length,
    notRendered: first && errorOf(first),
    unrendered: handed.flatMap(({ rendered }) => ('unanswered' in rendered ? rendered.unanswered : []))[0],
  };
}

function errorOf({ template, rendered }: HandedOver): Error {
  const why = rendered.failure === 'TAKES_TOO_LONG' ? ': it takes too long' : '';
  return new Error(`Version ${template.version} of the template ${template.language} could not be rendered${why}`);
}
