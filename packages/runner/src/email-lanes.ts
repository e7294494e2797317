import type { EmailDependencies } from '@causeway/domain';
import { runEmailLane } from './email-lane.ts';
import type { Pace } from './pace.ts';
import type { RunnerReport } from './runner-options.ts';
import type { Runner } from './start-runner.ts';
import { createSupplierRests } from './supplier-rests.ts';

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
