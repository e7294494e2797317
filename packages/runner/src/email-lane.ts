import { setTimeout as delay } from 'node:timers/promises';
import { type EmailDependencies, findEmailWork, sendEmails, setEmailsInDoubt } from '@causeway/domain';
import { PACE } from './pace.ts';
import type { RunnerOptions, RunnerReport } from './start-runner.ts';

const LOOKED_FOR_EVERY_MS = 1_000;
/** While there are messages, and somebody else takes them or the rate is reached. */
const SOON_MS = 100;
const CALLERS_FIRST_MS = 50;
const MAX_PAUSE_MS = 30_000;

interface EmailLane extends Pick<RunnerOptions, 'pace'> {
  emails: EmailDependencies;
  report: RunnerReport;
}

/**
 * Sends e-mails to customers (behaviour 29.3), a slice of one supplier's after the other, until it is told to stop; never
 * rejects. A mail server that is not reached is tried again after a pause that grows to half a minute.
 */
export async function runEmailLane(lane: EmailLane, signal: AbortSignal): Promise<void> {
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

const pauseMs = (done: Done, failures: number) =>
  done === 'unreachable' ? Math.min(MAX_PAUSE_MS, LOOKED_FOR_EVERY_MS * 2 ** (failures - 1)) : SOON_MS;

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** Each import supplier has the same chance to be first, however many messages it has. */
async function sendOnce({ emails, report }: EmailLane): Promise<Done> {
  const codes = await findEmailWork(emails.database, emails.clock());
  if (codes.includes('')) await tellInDoubt(emails, report);
  const suppliers = codes.filter((code) => code !== '');
  const code = suppliers[Math.floor(Math.random() * suppliers.length)];
  if (code === undefined) return 'nothing';
  const { counts, unreachable, notRendered } = await sendEmails(emails, code);
  for (const [state, count] of Object.entries(counts)) report.countEmails?.(state.toLowerCase(), count);
  if (notRendered !== undefined) {
    report.log('warn', 'email_template_not_rendered', { import_supplier: code, error: notRendered });
  }
  if (counts.IN_DOUBT !== undefined) {
    report.log('warn', 'customer_emails_in_doubt', { import_supplier: code, count: counts.IN_DOUBT });
  }
  if (unreachable !== undefined) {
    report.log('warn', 'mail_server_unreachable', { error: unreachable });
    return 'unreachable';
  }
  return Object.keys(counts).length === 0 ? 'later' : 'sent';
}

async function tellInDoubt(emails: EmailDependencies, report: RunnerReport): Promise<void> {
  const count = await setEmailsInDoubt(emails);
  if (count === 0) return;
  report.countEmails?.('in_doubt', count);
  report.log('warn', 'customer_emails_in_doubt', { count });
}
