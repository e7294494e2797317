import { setTimeout as delay } from 'node:timers/promises';
import { type EmailDependencies, findEmailWork, type SentEmails, sendEmails, setEmailsInDoubt } from '@causeway/domain';
import { PACE, type Pace } from './pace.ts';
import type { RunnerOptions, RunnerReport } from './runner-options.ts';
import type { Runner } from './start-runner.ts';
import { createSupplierRests, pauseAfter, type SupplierRests } from './supplier-rests.ts';

const LOOKED_FOR_EVERY_MS = 1_000;
/** While there are messages, and somebody else takes them or the rate is reached. */
const SOON_MS = 100;
const CALLERS_FIRST_MS = 50;

interface EmailLane extends Pick<RunnerOptions, 'pace'> {
  emails: EmailDependencies;
  /** Shared by the lanes of the instance. */
  rests: SupplierRests;
  report: RunnerReport;
}

/**
 * Sends e-mails to customers (behaviour 29.3), a slice of one supplier's after the other, until it is told to stop; never
 * rejects. A mail server that is not reached is tried again after a pause that grows to half a minute, and so is a supplier
 * to whose e-mails alone it does not listen.
 */
async function runEmailLane(lane: EmailLane, signal: AbortSignal): Promise<void> {
  const { pace = () => PACE.FULL, report } = lane;
  let failures = 0;
  while (!signal.aborted) {
    if (pace() === PACE.NONE) {
      await delay(CALLERS_FIRST_MS);
      continue;
    }
    try {
      const done = await sendOnce(lane);
      if (done === 'unreachable') failures += 1;
      else if (done === 'sent') failures = 0;
      if (done !== 'sent') await pause(done === 'nothing' ? LOOKED_FOR_EVERY_MS : pauseMs(done, failures), signal);
    } catch (error) {
      if (!signal.aborted) report.log('warn', 'email_lane_failed', { error });
      await pause(LOOKED_FOR_EVERY_MS, signal);
    }
  }
}

type Done = 'sent' | 'later' | 'nothing' | 'unreachable';

const pauseMs = (done: Done, failures: number) => (done === 'unreachable' ? pauseAfter(failures) : SOON_MS);

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Each import supplier has the same chance to be first, however many messages it has. */
async function sendOnce(lane: EmailLane): Promise<Done> {
  const { emails, report, rests } = lane;
  const { database, clock } = emails;
  const codes = await findEmailWork(database, clock());
  if (codes.includes('')) await tellInDoubt(emails, report);
  const suppliers = codes.filter((code) => code !== '' && rests.mayTry(code, clock()));
  const code = suppliers[Math.floor(Math.random() * suppliers.length)];
  if (code === undefined) return 'nothing';
  let isHeard: boolean | undefined;
  rests.begin(code);
  try {
    const sent = await sendEmails(emails, code);
    const isTried = Object.keys(sent.counts).length > 0 && sent.unheard?.why !== 'not_reached';
    if (isTried) isHeard = sent.unheard === undefined;
    return tell(report, code, sent);
  } finally {
    rests.end(code, isHeard, clock());
  }
}

/** What the log says of e-mails to which the mail server did not listen. */
const UNHEARD = {
  not_reached: 'mail_server_unreachable',
  sender_refused: 'mail_sender_refused',
  left: 'mail_server_left',
} as const;

function tell(report: RunnerReport, code: string, sent: SentEmails): Done {
  const { counts, unheard, notRendered, withOwnText, overLimit, unrendered } = sent;
  for (const [state, count] of Object.entries(counts)) report.countEmails?.(state.toLowerCase(), count);
  if (notRendered !== undefined) {
    report.countOwnTexts?.(withOwnText);
    report.log('warn', 'email_template_not_rendered', {
      import_supplier: code,
      count: withOwnText,
      error: notRendered,
    });
  }
  if (overLimit > 0) report.log('warn', 'emails_over_mailbox_limit', { import_supplier: code, count: overLimit });
  if (unrendered !== undefined) {
    report.log('warn', 'email_rendering_unfinished', { import_supplier: code, reason: unrendered });
  }
  if (counts.IN_DOUBT !== undefined) {
    report.log('warn', 'customer_emails_in_doubt', { import_supplier: code, count: counts.IN_DOUBT });
  }
  if (unheard !== undefined) {
    const of = unheard.why === 'not_reached' ? {} : { import_supplier: code };
    report.log('warn', UNHEARD[unheard.why], { ...of, error: unheard.cause });
  }
  if (unheard?.why === 'not_reached') return 'unreachable';
  return Object.keys(counts).length === 0 ? 'later' : 'sent';
}

async function tellInDoubt(emails: EmailDependencies, report: RunnerReport): Promise<void> {
  const count = await setEmailsInDoubt(emails);
  if (count === 0) return;
  report.countEmails?.('in_doubt', count);
  report.log('warn', 'customer_emails_in_doubt', { count });
}

export interface EmailLanesOptions {
  emails: EmailDependencies;
  /** Asked before each slice: the instance's callers come first. Default: always fully. */
  pace?: (() => Pace) | undefined;
  report: RunnerReport;
}

/** While one waits for the database, the other talks to the mail server. */
const EMAIL_LANES = 2;

/** Sends e-mails to customers (behaviour 29.3), together with the lanes of other instances. */
export function startEmailLanes({ emails, pace, report }: EmailLanesOptions): Runner {
  const stopping = new AbortController();
  const rests = createSupplierRests();
  const lane = { emails, rests, report, ...(pace && { pace }) };
  const lanes = Array.from({ length: EMAIL_LANES }, () => runEmailLane(lane, stopping.signal));
  return {
    wake: () => undefined,
    async stop() {
      stopping.abort();
      await Promise.all(lanes);
      emails.transport.close();
      await emails.templates.close();
    },
  };
}
