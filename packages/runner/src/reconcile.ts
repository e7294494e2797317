import { type ReconciliationWork, runRanges } from '@causeway/domain';
import type { RunnerOptions } from './runner-options.ts';

/** Does the next part of a reconciliation (behaviour 23.2). False if there is nothing to do now. */
export async function reconcile({ dependencies, report }: RunnerOptions, work: ReconciliationWork): Promise<boolean> {
  const reconciliation_id = work.id;
  const done = await runRanges(dependencies, work);
  if (done.result === 'nothing') return false;
  if (done.result === 'put_off') {
    if (done.cause !== undefined) {
      report.log('warn', 'reconciliation_range_put_off', { reconciliation_id, error: done.cause });
    }
    return false;
  }
  if (done.result === 'finished') {
    report.log('info', 'reconciliation_ended', { reconciliation_id, verdict: done.verdict });
  }
  return true;
}
