import { ChangedSince, type UndoBulkJobResponse } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { pathOfJob, readJob } from '../jobs/job-calls.ts';
import { describeJob, resultOfJob } from '../jobs/result-of-job.ts';
import { watchJob } from '../jobs/watch-job.ts';
import { openService } from '../session/open-service.ts';
import { quoted } from '../terminal/lines.ts';
import { counted } from '../terminal/numbers.ts';

interface Input {
  words: [string];
  options: {
    reason?: string;
    dryRun?: boolean;
    tellAgain: boolean;
    includeLater?: string;
    parallelism?: string;
    watch?: boolean;
  };
}

/** Starts the job that takes another one back, and waits for it if that is asked for (behaviour 25.10). */
export async function undoJob(context: Context, { words: [id], options }: Input): Promise<Result> {
  const { reason, dryRun: dry_run, tellAgain: tell_again, includeLater, parallelism, watch } = options;
  const service = await openService(context);
  const { job, changed_since } = await service.post<UndoBulkJobResponse>(`${pathOfJob(id)}undo/`, {
    ...{ reason, dry_run, tell_again },
    ...(parallelism !== undefined && { parallelism: Number(parallelism) }),
    ...(includeLater !== undefined && { include_later: true, changed_since: figuresIn(includeLater) }),
  });
  sayChanged(context, changed_since, { id, isIncluded: includeLater !== undefined });
  if (watch) return resultOfJob(context, service, await watchJob(context, service, job.id));
  return describeJob(context, service, await readJob(service, job.id));
}

function figuresIn(text: string): ChangedSince {
  try {
    return ChangedSince.parse(JSON.parse(text));
  } catch (cause) {
    const sentence = '--include-later takes the figures that the command printed, as they are.';
    throw new Failure('usage', sentence, { cause });
  }
}

function sayChanged({ output }: Context, since: ChangedSince, { id, isIncluded }: { id: string; isIncluded: boolean }) {
  if (since.accounts === 0) return;
  const what = `${counted(since.accounts, 'account')} received something since the job created them`;
  if (isIncluded) return output.say(`${what}: taken back too.`);
  output.say(`${what}, and are kept. To take them back too, with all they have:`);
  output.say(`  causeway undo job ${id} --include-later ${quoted(JSON.stringify(since))}`);
}
